import { setTimeout as pause } from "node:timers/promises";
import { NotAsked } from "../../src/connectors/connector.js";
import type { Pace } from "../../src/connectors/http/waits.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";

/** The longest that a request waits for its turn; if it had to wait longer, the run is put off. */
const LONGEST_TURN_MS = 60_000;
/** How long requests still take turns after the source last allowed few. */
const SPARED_FOR = "60 s";

const KEY = "connector_name = $1 and warehouse_id = $2";

/**
 * The request rate of a source, learned from its answers and common to all processes. While a source allows enough
 * requests, this costs one read; when it allows few, a row gives each request its turn.
 */
export class Rate {
  private constructor(
    private readonly connector: string,
    private readonly warehouseId: number,
    private isTight: boolean,
  ) {}

  static async of(sql: Sql, connector: string, warehouseId: number): Promise<Rate> {
    const row = await sql.row({}, `select from connector_rates where ${KEY} and until > now()`, [
      connector,
      warehouseId,
    ]);
    return new Rate(connector, warehouseId, row !== undefined);
  }

  /** Called before each request: waits for its turn. Throws `NotAsked` where that takes too long. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    if (!this.isTight) return;
    const turn = await db.row(
      { wait_ms: int, is_taken: bool },
      `with taken as (
         update connector_rates set next_at = greatest(next_at, now()) + gap_ms * interval '1 ms'
         where ${KEY} and until > now() and next_at <= now() + ${LONGEST_TURN_MS} * interval '1 ms'
         returning greatest(next_at - gap_ms * interval '1 ms', now()) as at)
       select (extract(epoch from coalesce((select at from taken), next_at) - now()) * 1000)::int as wait_ms,
              exists (table taken) as is_taken
       from connector_rates where ${KEY} and until > now()`,
      [this.connector, this.warehouseId],
    );
    if (!turn) this.isTight = false;
    else if (!turn.is_taken) throw new NotAsked("The source allows no more requests at the moment", 429, turn.wait_ms);
    else if (turn.wait_ms > 0) await pause(turn.wait_ms, undefined, { signal });
  }

  /** After each answer. */
  async saw(pace: Pace | undefined): Promise<void> {
    if (pace === undefined) return;
    if (pace === "ample") {
      if (this.isTight) await db.run(`delete from connector_rates where ${KEY}`, [this.connector, this.warehouseId]);
      this.isTight = false;
      return;
    }
    this.isTight = true;
    const gap = Math.min(pace.gap_ms, LONGEST_TURN_MS);
    await db.run(
      `insert into connector_rates (connector_name, warehouse_id, gap_ms, next_at, until)
       values ($1, $2, $3, now() + $4 * interval '1 ms', now() + $4 * interval '1 ms' + interval '${SPARED_FOR}')
       on conflict (connector_name, warehouse_id) do update
       set gap_ms = excluded.gap_ms, next_at = greatest(connector_rates.next_at, excluded.next_at),
           until = excluded.until`,
      [this.connector, this.warehouseId, Math.round(gap), Math.round(pace.first_ms)],
    );
  }
}
