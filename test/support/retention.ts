import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { retireRows } from "../../activities/maintenance/retirement/retire.js";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { db } from "./db.js";
import { newest } from "./polling.js";
import { testService } from "./service.js";

/** The first moment of the month so many months ago, and a time after it, in SQL. */
export const month = (ago: number, plus = "1 hour") =>
  `date_trunc('month', now()) - interval '${ago} months' + interval '${plus}'`;

export const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Does to the log what only the database's owner can. */
export async function tamper(...statements: string[]): Promise<void> {
  const turn = async (state: "disable" | "enable") => {
    for (const table of ["audit_log", "audit_seals"]) await db.run(`alter table ${table} ${state} trigger all`);
  };
  await turn("disable");
  for (const statement of statements) await db.run(statement);
  await turn("enable");
}

/** Audit rows of a time, with texts that a file might alter. */
export const audited = (rows: number, at: string) =>
  db.run(
    `insert into audit_log (action_type, entity_type, entity_id, user_id, device_id, warehouse_id, details,
       created_at)
     select 'PICK', 'SO', n, case when n % 3 > 0 then 'Größe, "ann"' || chr(10) || chr(1) end,
            case n % 3 when 0 then '' when 1 then null else E'\\\\x27; 日本' end, nullif(n % 4, 0),
            case when n % 5 > 0 then jsonb_build_object('n', n, 'quantity', 5.0, 'text', E'a\\\\b\\t"c"') end,
            ${at} + n * interval '1 microsecond'
     from generate_series(1, ${rows}) n`,
  );
/** Events of a time, numbered. */
export const happened = async (rows: number, at: string, warehouse_id = 1) => {
  const before = await newest();
  await db.run(
    `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
       warehouse_id, source_txn_id, payload)
     select 'ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', n, ${warehouse_id},
       gen_random_uuid(), '{}' from generate_series(1, ${rows}) n`,
  );
  await sequenceAll();
  await db.run(`update integration_events set visible_at = ${at} where event_id > $1`, [before]);
};
/** The service's own readers have read up to an event. */
export const readAll = async (upTo: number) => {
  await db.run("update notification_progress set event_id = $1", [upTo]);
  await db.run("update fulfillment_push_progress set event_id = $1", [upTo]);
};

/** The files of a table, the oldest first. */
export const filesOf = (table: string) =>
  db.column<string>("select file_name from retired_files where table_name = $1 order by last_no", [table]);

/** The service of a test file, with a folder for what it retires after 90 days; each test begins without old rows. */
export function retention() {
  const folder = mkdtempSync(join(tmpdir(), "retention-"));
  const service = testService({
    worker: true,
    env: {
      ...{ DISPATCHER_ENABLED: "false", SERVICE_RETENTION_FOLDER: folder },
      ...{ SERVICE_AUDIT_RETENTION_DAYS: "90", SERVICE_EVENT_RETENTION_DAYS: "90" },
    },
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await tamper("truncate audit_log, audit_seals, audit_unsealed restart identity");
    await db.run("truncate leaving_rows, retired_orders, retired_files");
    await db.run("truncate integration_events, consumer_groups, webhook_deliveries, webhook_secrets");
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await db.run("update sequencer_state set last_no = 0, head = ''");
    await readAll(0);
  });

  const retire = (settings: object = {}, signal = new AbortController().signal) =>
    retireRows({ ...service.config, ...settings }, signal, 0);
  const rowsIn = (name: string): Record<string, string>[] =>
    parse(gunzipSync(readFileSync(join(folder, name))), { columns: true });
  /** The numbers of the rows of a table that are in its files, those that are not deleted, and both together. */
  async function whereRowsAre(table: string, no: string) {
    const from = no === "seal_no" ? "audit_seals" : table;
    const filed = (await filesOf(table)).flatMap((name) => rowsIn(name).map((row) => Number(row[no])));
    const here = await db.column<number>(`select ${no} from ${from} where ${no} is not null order by ${no}`);
    return { filed, here, all: [...new Set([...filed, ...here])].sort((a, b) => a - b) };
  }
  return { folder, service, retire, rowsIn, whereRowsAre };
}
