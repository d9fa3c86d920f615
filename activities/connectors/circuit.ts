import { z } from "zod";
import { NotAsked } from "../../src/connectors/connector.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";

/** Failures in a row that open the circuit. */
const OPENS_AT = 5;
/** Longer than any request, so that a trial ends by itself when its process died. */
const TRIAL_SLACK_MS = 5_000;

export interface CircuitOptions {
  openMs: number;
  /** The longest that a request may take. */
  requestMs: number;
}

const State = z.strictObject({ failures: int, open_until: text.nullable() });
type State = z.infer<typeof State>;

const CircuitRow = { not_before: text.nullable() };

/**
 * The circuit breaker of a source (docs/interface.md, Limits): after five failed requests in a row the source is left
 * alone for some minutes; then one request tries it, and decides whether the circuit closes.
 *
 * Its state is a row, because API and workers are several processes that spare the same source together; libraries such
 * as cockatiel keep it in each process. The row is read once, and written only while there are failures: a source that
 * works costs one read.
 */
export class Circuit {
  #state: State | undefined;

  private constructor(
    private readonly connector: string,
    private readonly warehouseId: number,
    private readonly options: CircuitOptions,
    state: State | undefined,
  ) {
    this.#state = state;
  }

  static async of(sql: Sql, connector: string, warehouseId: number, options: CircuitOptions): Promise<Circuit> {
    const state = await sql.row(
      State,
      "select failures, open_until from connector_circuits where connector_name = $1 and warehouse_id = $2",
      [connector, warehouseId],
    );
    return new Circuit(connector, warehouseId, options, state);
  }

  /** Whether the circuit was open when the row was last written. */
  get isOpen(): boolean {
    return Boolean(this.#state?.open_until);
  }

  /** How long the source is left alone, in ms; null while it is not. */
  get waitMs(): number | null {
    return this.#state?.open_until ? Math.max(0, Date.parse(this.#state.open_until) - Date.now()) : null;
  }

  /**
   * Called before each request: throws while the circuit is open, or while another request is the trial. Returns
   * whether this request is the trial.
   */
  async enter(): Promise<boolean> {
    if (!this.isOpen) return false;
    const { requestMs } = this.options;
    const found = await db.row(
      { ...State.shape, tries: bool, not_before: text },
      `with tried as (
         update connector_circuits set trial_until = now() + $3 * interval '1 millisecond'
         where connector_name = $1 and warehouse_id = $2 and open_until <= now()
           and coalesce(trial_until <= now(), true)
         returning true
       )
       select failures, open_until, exists (table tried) as tries, greatest(open_until, trial_until) as not_before
       from connector_circuits where connector_name = $1 and warehouse_id = $2`,
      [this.connector, this.warehouseId, requestMs + TRIAL_SLACK_MS],
    );
    this.#state = found;
    const trial = found?.tries ?? false;
    if (this.isOpen && !trial) throw leftAlone(found?.not_before ?? "");
    return trial;
  }

  /** Whether a request would be made now, without beginning one. Throws as `enter`. */
  async check(): Promise<void> {
    if (!this.isOpen) return;
    const { not_before } = (await db.row(
      CircuitRow,
      `select greatest(open_until, trial_until) as not_before from connector_circuits
       where connector_name = $1 and warehouse_id = $2 and greatest(open_until, trial_until) > now()`,
      [this.connector, this.warehouseId],
    )) ?? { not_before: null };
    if (not_before) throw leftAlone(not_before);
  }

  /** The request was answered by a source that works. */
  async succeeded(): Promise<void> {
    if (!this.#state) return;
    await db.run("delete from connector_circuits where connector_name = $1 and warehouse_id = $2", [
      this.connector,
      this.warehouseId,
    ]);
    this.#state = undefined;
  }

  /** The request failed; a failed trial opens the circuit again. */
  async failed(trial: boolean): Promise<void> {
    this.#state = await db.row(
      State,
      `insert into connector_circuits as c (connector_name, warehouse_id, failures) values ($1, $2, 1)
       on conflict (connector_name, warehouse_id) do update
       set failures = c.failures + 1,
           open_until = case
             when $3 or (c.open_until is null and c.failures + 1 >= ${OPENS_AT})
               then now() + $4 * interval '1 millisecond'
             else c.open_until end,
           trial_until = case when not $3 then c.trial_until end
       returning failures, open_until`,
      [this.connector, this.warehouseId, trial, this.options.openMs],
    );
  }

  /** The request says nothing about the source: it was not sent, or it was aborted. */
  async undecided(trial: boolean): Promise<void> {
    if (!trial) return;
    await db.run("update connector_circuits set trial_until = null where connector_name = $1 and warehouse_id = $2", [
      this.connector,
      this.warehouseId,
    ]);
  }
}

function leftAlone(until: string): NotAsked {
  const wait = Date.parse(until) - Date.now();
  return new NotAsked(
    `The source failed ${OPENS_AT} times in a row, and is not asked again before ${until}`,
    null,
    Number.isNaN(wait) ? null : Math.max(0, wait),
  );
}
