import type { Caller } from "./caller.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { unique } from "./unique.js";
import { until } from "./until.js";

/** Printers, and requests that change something of them or of what is sent to them. */

export const PRINTERS = "/api/admin/printers";
export const PRINT_JOBS = "/api/printing/jobs";

/** A printer of a service, to which nothing is sent. */
export const printerBody = (warehouse_id: number, fields: object = {}) => ({
  ...{ warehouse_id, printer_name: `Printer ${unique()}`, kind: "printnode", format: "zpl", size: "100x50" },
  ...{ address: "https://8.8.8.8/printers/70", api_key: "key-1" },
  ...fields,
});

/** A printer in use, of which the rows alone know. */
export const insertPrinter = async (warehouse_id: number, documents: string[] = []): Promise<number> =>
  (await db.value<number>(
    `insert into printers (warehouse_id, printer_name, kind, address, format, size, dpi, documents)
     values ($1, $2, 'raw9100', '192.0.2.1:9100', 'zpl', '100x50', 203, $3) returning printer_id`,
    [warehouse_id, `Printer ${unique()}`, documents],
  )) as number;

/** A job of a printer, as it ended. */
export const insertPrintJob = async (
  printer_id: number,
  { status = "failed", document = "bin_label", why = "No connection" } = {},
): Promise<number> =>
  (await db.value<number>(
    `insert into print_jobs (printer_id, warehouse_id, document, record_ids, title, copies, status, attempts,
       last_error, requested_by, completed_at)
     select printer_id, warehouse_id, $2, '{}', 'A-01', 1, $3::text, 0,
       case when $3::text = 'failed' then $4 end, 'ann', case when $3::text <> 'pending' then now() end
     from printers where printer_id = $1 returning job_id`,
    [printer_id, document, status, why],
  )) as number;

const bare = (by: Caller, path: string): Change => ({ by, path, body: {}, other: { again: true } });

/** Jobs end by themselves: their printers are in no network that is named. */
const settled = () => until(async () => !(await db.value("select 1 from print_jobs where status = 'pending'")));
const printing = (change: Change): Change => ({ ...change, settled });

const endedJob = async ({ warehouse_id }: Floor) => insertPrintJob(await insertPrinter(warehouse_id));
const printerAt = async ({ warehouse_id }: Floor) => `${PRINTERS}/${await insertPrinter(warehouse_id)}`;

export const printingChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/printers": async ({ by, warehouse_id }) => {
    const body = printerBody(warehouse_id);
    return { by, body, other: { ...body, size: "57x32" } };
  },
  "put /api/admin/printers/:printer_id": async (at) => ({
    ...{ by: at.by, path: await printerAt(at), body: { size: "57x32" }, other: { size: "4x6in" } },
  }),
  "delete /api/admin/printers/:printer_id": async (at) => bare(at.by, await printerAt(at)),
  "post /api/admin/printers/:printer_id/test": async (at) => printing(bare(at.by, `${await printerAt(at)}/test`)),
  "post /api/printing/jobs": async ({ by, warehouse_id, stocked }) => {
    const { bin_id } = await stocked();
    const printer_id = await insertPrinter(warehouse_id);
    const body = { document: "bin_label", record_ids: [bin_id], printer_id };
    return printing({ by, body, other: { ...body, copies: 2 } });
  },
  "post /api/printing/jobs/:job_id/again": async (at) =>
    printing(bare(at.by, `${PRINT_JOBS}/${await endedJob(at)}/again`)),
  "post /api/printing/jobs/:job_id/cancel": async (at) => bare(at.by, `${PRINT_JOBS}/${await endedJob(at)}/cancel`),
};
