import assert from "node:assert/strict";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openIppPrinter, openRawPrinter, PRINTER_ENV } from "../support/printers.js";
import { PRINT_JOBS, PRINTERS, printerBody } from "../support/printing-requests.js";
import { Scanner } from "../support/scanner.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each is killed or cut, and how many labels are asked of each printer meanwhile. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const LABELS_A_KILL = 10;
const VICTIMS = ["worker", "raw printer", "IPP printer", "worker", "raw printer", "IPP printer"] as const;
const WITHIN_MS = 180_000;
/** So long that a kill finds documents under way. */
const SLOW_MS = 400;

interface Label {
  code: string;
  job_id: number;
  printer: "raw" | "ipp";
}

interface Job {
  job_id: number;
  status: string;
  last_error: string | null;
}

describe("labels to be printed, as worker and printers are killed in mid-document", function () {
  this.timeout(300_000 + ROUNDS * 300_000);
  const victims = Array<typeof VICTIMS>(ROUNDS).fill(VICTIMS).flat();
  const labels: Label[] = [];
  let stack: Stack;
  let clerk: Scanner;
  let raw: Awaited<ReturnType<typeof openRawPrinter>>;
  let ipp: Awaited<ReturnType<typeof openIppPrinter>>;
  let warehouse_id: number;
  const ids = { raw: 0, ipp: 0 };
  before(async () => {
    stack = await openStack(PRINTER_ENV);
    connect(stack.databaseUrl, 4);
    clerk = new Scanner(stack.admin);
    [raw, ipp] = await Promise.all([openRawPrinter(), openIppPrinter()]);
    Object.assign(raw, { takesMs: SLOW_MS });
    Object.assign(ipp, { takesMs: SLOW_MS });
    warehouse_id = await fixtures.warehouse();
    for (const [name, kind, { address }] of [
      ["raw", "raw9100", raw],
      ["ipp", "ipp", ipp],
    ] as const) {
      const body = printerBody(warehouse_id, { kind, address, api_key: undefined });
      ids[name] = (await stack.admin.ok("POST", PRINTERS, body)).printer_id;
    }
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await raw?.close();
    await ipp?.close();
  });

  const jobs = () => db.rows<Job>("select job_id, status, last_error from print_jobs order by job_id");
  /** Jobs whose connection the IPP printer has broken off. */
  const brokenOff = async () =>
    (await db.value<number>(
      `select count(*)::int from print_jobs
       where printer_id = $1 and status = 'failed' and last_error not like 'The worker stopped%'`,
      [ids.ipp],
    )) ?? 0;
  const settled = () => until(async () => (await jobs()).every(({ status }) => status !== "pending"), WITHIN_MS);
  /** How often a label is on paper. */
  const copiesOf = ({ code, printer }: Label) => {
    const documents = printer === "raw" ? raw.printed : ipp.jobs.map(({ document }) => document.toString("latin1"));
    return documents.filter((document) => document.includes(code)).length;
  };

  async function ask(printer: Label["printer"]) {
    const code = `K${printer}${labels.length}X`.toUpperCase();
    const label: Label = { code, printer, job_id: 0 };
    labels.push(label);
    const record_ids = [await fixtures.bin(warehouse_id, { code })];
    const { job_id } = await clerk.post(PRINT_JOBS, { document: "bin_label", record_ids, printer_id: ids[printer] });
    label.job_id = job_id;
  }

  const now = () => db.value<string>("select now()::text");
  /** Once a worker has handed a document over since then, of which the printer has a part. */
  const underWay = (since: string | undefined, printer_id?: number) =>
    until(
      async () =>
        (await db.value(
          `select 1 from print_jobs where status = 'pending' and handed_over_at > $1 and remote_id is null
             and coalesce(printer_id = $2, true) limit 1`,
          [since, printer_id ?? null],
        )) !== undefined,
      WITHIN_MS,
    );

  const cut: Record<(typeof VICTIMS)[number], (since: string | undefined) => Promise<void>> = {
    worker: async (since) => {
      await underWay(since);
      await stack.kill("Worker");
    },
    // It loses what it has in part, and is not there for those that come next.
    "raw printer": async (since) => {
      await underWay(since, ids.raw);
      const { port, printed } = raw;
      await raw.cut();
      raw = Object.assign(await openRawPrinter(port), { takesMs: SLOW_MS });
      raw.printed.push(...printed);
    },
    "IPP printer": async () => {
      const before = await brokenOff();
      ipp.refuses = "reset";
      await until(async () => (await brokenOff()) > before, WITHIN_MS);
      ipp.refuses = undefined;
    },
  };

  it("end all of them, whatever dies", async () => {
    for (const victim of victims) {
      const half = () => Promise.all(Array.from({ length: LABELS_A_KILL / 2 }, () => [ask("raw"), ask("ipp")]).flat());
      const since = await now();
      const asking = half();
      await cut[victim](since);
      await Promise.all([asking, half()]);
    }
    await settled();
    assert.equal(labels.length, victims.length * LABELS_A_KILL * 2);
    assert.equal((await jobs()).length, labels.length, "a job for each label, and no other");
  });

  it("print those once that they call printed, and tell of all others in the inbox", async () => {
    const found = new Map((await jobs()).map((job) => [job.job_id, job]));
    const failed: string[] = [];
    for (const label of labels) {
      const { status, last_error } = found.get(label.job_id) as Job;
      const copies = copiesOf(label);
      if (status === "printed") assert.equal(copies, 1, label.code);
      else {
        assert.equal(status, "failed", label.code);
        assert.ok(copies <= 1, `${label.code} is on paper ${copies} times`);
        assert.match(last_error ?? "", /may have been printed/, label.code);
        failed.push(String(label.job_id));
      }
    }
    assert.ok(failed.length > 0, "no kill came in mid-document");
    assert.ok(failed.length < labels.length / 2, `${failed.length} failed`);
    const { parts } = await stack.admin.ok("GET", "/api/admin/inbox?kind=print_failed&limit=100");
    const told = parts[0].entries.map(({ record_id }: { record_id: string }) => record_id);
    assert.deepEqual(told.sort(), failed.sort());
  });

  it("have each on paper once somebody had those printed again that failed", async () => {
    const failed = (await jobs()).filter(({ status }) => status === "failed");
    for (const { job_id } of failed) await clerk.post(`${PRINT_JOBS}/${job_id}/again`, {});
    await settled();
    const again = new Set(failed.map(({ job_id }) => job_id));
    for (const label of labels) {
      const copies = copiesOf(label);
      assert.ok(again.has(label.job_id) ? copies === 1 || copies === 2 : copies === 1, `${label.code}: ${copies}`);
    }
    const { parts } = await stack.admin.ok("GET", "/api/admin/inbox?kind=print_failed");
    assert.deepEqual(parts[0].entries, []);
  });
});
