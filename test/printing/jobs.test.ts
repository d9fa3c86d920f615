import assert from "node:assert/strict";
import { purgePrintJobs } from "../../activities/maintenance/retention.js";
import { attemptPrint } from "../../activities/printing/attempt.js";
import { giveUpPrint } from "../../activities/printing/jobs.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { printWorkflowId } from "../../src/printing/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import type { Caller } from "../support/caller.js";
import { type Floor, floor } from "../support/change.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openParcel } from "../support/parcels.js";
import {
  openIppPrinter,
  openPrintNode,
  openRawPrinter,
  PRINTER_ENV,
  PRINTNODE_KEY,
  readIpp,
} from "../support/printers.js";
import { insertPrinter, insertPrintJob, PRINT_JOBS, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("print jobs", () => {
  let service: TestService;
  let printer: Awaited<ReturnType<typeof openRawPrinter>>;
  let at: Floor;
  let by: Caller;
  before(async () => {
    service = await openService({ worker: true, env: PRINTER_ENV });
  });
  after(() => service.close());
  beforeEach(async () => {
    printer = await openRawPrinter();
    at = await floor(service);
    by = await service.user({ warehouse_ids: [at.warehouse_id] });
  });
  afterEach(async () => {
    await db.run("delete from printers");
    await printer.close();
  });

  /** Sets a printer up; raw, unless it is of another kind. */
  const printerOf = (fields: object = {}) => {
    const raw = { kind: "raw9100", address: printer.address, api_key: undefined };
    return service.admin.ok("POST", PRINTERS, printerBody(at.warehouse_id, { ...raw, ...fields }));
  };
  const bin = (code?: string) => fixtures.bin(at.warehouse_id, code ? { code } : {});
  const print = (body: object) => by.ok("POST", PRINT_JOBS, body);
  const job = async (job_id: number) => {
    const { print_jobs } = await by.ok("GET", PRINT_JOBS);
    return print_jobs.find((one: { job_id: number }) => one.job_id === job_id);
  };
  const becomes = async (job_id: number, status: string) => {
    await until(async () => (await job(job_id))?.status === status);
    return job(job_id);
  };
  const codeOf = async (body: object, who = by) => {
    const { status, code } = await who.post(PRINT_JOBS, body);
    return [status, code];
  };
  const attempt = (job_id: number) => attemptPrint(job_id, service.config, new AbortController().signal);
  /** A job that no workflow takes up. */
  const lone = (printer_id: number) => insertPrintJob(printer_id, { status: "pending", document: "test_page" });

  it("print labels on the printer that is named, and say so", async () => {
    const { printer_id, printer_name } = await printerOf();
    const ids = [await bin(), await bin()];
    const made = await print({ document: "bin_label", record_ids: ids, printer_id, copies: 2 });
    assert.deepEqual(
      [made.status, made.printer_name, made.requested_by, made.copies],
      ["pending", printer_name, by.username, 2],
    );
    assert.match(made.title, / and 1 more$/);
    const done = await becomes(made.job_id, "printed");
    assert.deepEqual([done.attempts, done.last_error], [1, null]);
    assert.equal(printer.printed[0]?.match(/\^XA/g)?.length, 4);
    const audits = await db.rows<{ action_type: string }>(
      "select action_type from audit_log where entity_type = 'PRINTER' and entity_id = $1 order by log_id",
      [printer_id],
    );
    assert.deepEqual(
      audits.map(({ action_type }) => action_type),
      ["CREATE", "PRINT", "PRINTED"],
    );
  });

  it("print every document", async () => {
    const { printer_id } = await printerOf({ size: "4x6in" });
    const { so_id, so_number, item_id, sku } = (await at.order()) as never as Record<string, never>;
    const { batch_id } = await at.wave();
    const boxed = await at.picked();
    const { parcel_id } = await openParcel(service.admin, boxed.so_id, boxed.sku, 2);
    for (const [document, id, text] of [
      ["parcel_label", parcel_id, `PCL-${parcel_id}`],
      ["parcel_slip", parcel_id, boxed.sku],
      ["item_label", item_id, sku],
      ["packing_slip", so_id, so_number],
      ["picking_ticket", so_id, "Picking ticket"],
      ["tote_label", batch_id, "1 of 1"],
    ] as const) {
      const { job_id } = await print({ document, record_ids: [id], printer_id });
      await becomes(job_id, "printed");
      assert.ok(printer.printed.at(-1)?.includes(`${text}`.replaceAll("_", "_5F")), document);
    }
  });

  it("count the ticket of an order as printed once it is printed, and by no other document", async () => {
    const { printer_id } = await printerOf({ size: "4x6in" });
    const { so_id } = (await at.order()) as never as Record<string, never>;
    const printedAt = () => db.value("select printed_at from sales_orders where so_id = $1", [so_id]);
    const slip = await print({ document: "packing_slip", record_ids: [so_id], printer_id });
    await becomes(slip.job_id, "printed");
    assert.equal(await printedAt(), null);
    const { job_id } = await print({ document: "picking_ticket", record_ids: [so_id], printer_id });
    await becomes(job_id, "printed");
    assert.ok(await printedAt());
  });

  it("go to the printer of the station, else to that of the warehouse, for each document", async () => {
    const documents = ["bin_label"];
    const everywhere = await printerOf({ documents });
    const bench = await printerOf({ documents, station: "Bench 1" });
    await printerOf({ documents: ["item_label"] });
    const idle = await printerOf({ documents, station: "Bench 2" });
    await service.admin.ok("PUT", `${PRINTERS}/${idle.printer_id}`, { is_active: false });
    const asked = { document: "bin_label", record_ids: [await bin()], warehouse_id: at.warehouse_id };
    const usual = async (station?: string) => (await print({ ...asked, station })).printer_id;
    assert.deepEqual(
      [await usual(), await usual("Bench 1"), await usual("Bench 2")],
      [everywhere.printer_id, bench.printer_id, everywhere.printer_id],
    );
    const totes = { ...asked, document: "tote_label", record_ids: [(await at.wave()).batch_id] };
    assert.deepEqual(await codeOf(totes), [404, "no_printer"]);
    const { printer_id } = idle;
    const named = { document: "bin_label", record_ids: asked.record_ids, printer_id };
    assert.deepEqual(await codeOf(named), [409, "printer_inactive"]);
  });

  it("are refused for what is not there, elsewhere, too much, or does not fit", async () => {
    const { printer_id } = await printerOf();
    const paper = await printerOf({ format: "pdf", size: "A4" });
    const NONE = 2_000_000_000;
    const far = await floor(service);
    const [there, here] = [await fixtures.bin(far.warehouse_id), await bin()];
    const abroad = await insertPrinter(far.warehouse_id);
    const { so_id } = await at.order();
    await db.run("update sales_orders set order_type = 'return' where so_id = $1", [so_id]);
    const { batch_id } = await at.wave();
    await db.run("delete from pick_batch_orders where batch_id = $1", [batch_id]);
    const labels = (ids: number[], fields: object = {}) => ({
      document: "bin_label",
      record_ids: ids,
      printer_id,
      ...fields,
    });
    const of = (document: string, id: number) => labels([id], { document });
    for (const [asked, status, code] of [
      [labels([NONE]), 404, "bin_not_found"],
      [of("item_label", NONE), 404, "item_not_found"],
      [of("tote_label", NONE), 404, "batch_not_found"],
      [of("packing_slip", NONE), 404, "so_not_found"],
      [of("packing_slip", so_id), 400, "return_not_fulfillable"],
      [of("picking_ticket", NONE), 404, "so_not_found"],
      [of("picking_ticket", so_id), 400, "return_not_fulfillable"],
      [of("parcel_label", NONE), 404, "parcel_not_found"],
      [of("parcel_slip", NONE), 404, "parcel_not_found"],
      [of("tote_label", batch_id), 404, "nothing_to_print"],
      [labels([there]), 403, "warehouse_denied"],
      [labels([here], { printer_id: abroad }), 403, "warehouse_denied"],
      [labels([here], { printer_id: undefined, warehouse_id: far.warehouse_id }), 403, "warehouse_denied"],
      [labels([here], { printer_id: NONE }), 404, "printer_not_found"],
      [labels([here], { printer_id: paper.printer_id }), 400, "document_not_on_size"],
      [labels([1, 2], { document: "tote_label" }), 400, "one_record_only"],
      [labels([here, await bin()], { copies: 101 }), 400, "too_many_labels"],
      [labels([here], { printer_id: undefined }), 400, "printer_not_named"],
    ] as const)
      assert.deepEqual(await codeOf(asked), [status, code], JSON.stringify(asked));
    assert.equal(await db.value("select count(*)::int from print_jobs"), 0);
  });

  it("are tried again where the printer cannot be reached, and print then", async () => {
    const { port } = printer;
    const { printer_id } = await printerOf();
    await printer.close();
    const { job_id } = await print({ document: "bin_label", record_ids: [await bin()], printer_id });
    await until(async () => (await job(job_id)).attempts > 0);
    assert.match((await job(job_id)).last_error, /No connection \(ECONNREFUSED\)/);
    printer = await openRawPrinter(port);
    const done = await becomes(job_id, "printed");
    assert.equal(done.last_error, null);
    assert.equal(printer.printed.length, 1);
  });

  it("fail after six attempts, with the reason; then somebody has them printed again, or discards them", async () => {
    const { printer_id } = await printerOf({ address: "127.0.0.1:1" });
    const job_id = await lone(printer_id);
    for (let n = 1; n <= 6; n++) {
      await db.run("update print_jobs set due_at = now()");
      const { ended, next } = await attempt(job_id);
      assert.deepEqual([ended, next?.attempt], n < 6 ? [undefined, n + 1] : ["failed", undefined]);
      // Before its time, it is left alone.
      if (n < 6) assert.equal((await attempt(job_id)).next?.attempt, n + 1);
    }
    const failed = await job(job_id);
    assert.deepEqual([failed.status, failed.attempts], ["failed", 6]);
    assert.match(failed.last_error, /No connection/);
    const path = `${PRINT_JOBS}/${job_id}`;
    await service.admin.ok("PUT", `${PRINTERS}/${printer_id}`, { address: printer.address });
    const again = await by.ok("POST", `${path}/again`);
    assert.deepEqual([again.status, again.attempts, again.last_error], ["pending", 0, null]);
    await becomes(job_id, "printed");
    assert.equal(printer.printed.length, 1);
    const other = await insertPrintJob(printer_id);
    assert.equal((await by.ok("POST", `${PRINT_JOBS}/${other}/cancel`)).status, "cancelled");
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    for (const step of ["again", "cancel"])
      assert.equal((await stranger.post(`${path}/${step}`)).code, "print_job_not_found");
    assert.equal((await by.post(`${path}/cancel`)).code, "print_job_ended");
  });

  it("are cancelled while they wait, and not printed again before they have ended", async () => {
    const { printer_id } = await printerOf({ address: "127.0.0.1:1" });
    const { job_id } = await print({ document: "bin_label", record_ids: [await bin()], printer_id });
    const path = `${PRINT_JOBS}/${job_id}`;
    assert.equal((await by.post(`${path}/again`)).code, "print_job_not_ended");
    await by.ok("POST", `${path}/cancel`);
    const { ended } = (await temporalClient().workflow.getHandle(printWorkflowId(job_id)).result()) as {
      ended: string;
    };
    assert.equal(ended, "stopped");
    assert.equal((await job(job_id)).status, "cancelled");
    assert.equal((await attempt(job_id)).ended, "stopped");
  });

  it("are not sent twice where nobody knows whether they were printed", async () => {
    const { printer_id } = await printerOf();
    printer.behaviour = "resets";
    const { job_id } = await print({ document: "bin_label", record_ids: [await bin()], printer_id });
    const failed = await becomes(job_id, "failed");
    assert.match(failed.last_error, /may have been printed/);
    assert.equal(printer.connections, 1);
    // As after the worker was killed while it sent.
    const other = await lone(printer_id);
    await db.run("update print_jobs set handed_over_at = now() where job_id = $1", [other]);
    const { ended, why } = await attempt(other);
    assert.deepEqual([ended, printer.connections], ["failed", 1]);
    assert.match(`${why}`, /The worker stopped while it was sent: it may have been printed/);
  });

  it("fail at once where no printer may be, its records are gone, or its key cannot be read", async () => {
    const { printer_id } = await printerOf();
    await db.run("update printers set address = '10.0.0.1:9100' where printer_id = $1", [printer_id]);
    assert.match(
      `${(await attempt(await lone(printer_id))).why}`,
      /10\.0\.0\.1 is in no network that printers may be in/,
    );
    await db.run("update printers set address = $2 where printer_id = $1", [printer_id, printer.address]);
    const gone = await lone(printer_id);
    await db.run("update print_jobs set document = 'bin_label', record_ids = '{2000000000}' where job_id = $1", [gone]);
    assert.deepEqual(await attempt(gone), { ended: "failed", why: "Bin 2000000000 not found" });
    await db.run(
      `update printers set kind = 'printnode', address = 'https://8.8.8.8/printers/1', api_key_sealed = 'x'
       where printer_id = $1`,
      [printer_id],
    );
    assert.match(`${(await attempt(await lone(printer_id))).why}`, /sealed/);
    assert.deepEqual(await attempt(2_000_000_000), { ended: "gone", why: null });
    assert.deepEqual(printer.printed, []);
  });

  it("go by IPP, and end when the printer says so", async () => {
    const ipp = await openIppPrinter();
    try {
      const { printer_id } = await printerOf({ kind: "ipp", address: ipp.address, format: "pdf", size: "A4" });
      const { so_id } = await at.order();
      const { job_id } = await print({ document: "packing_slip", record_ids: [so_id], printer_id });
      await becomes(job_id, "printed");
      assert.equal(ipp.jobs[0]?.document.subarray(0, 5).toString(), "%PDF-");
      assert.match(`${ipp.jobs[0]?.name}`, /^packing slip SO-/);
      // As after the worker was killed while it watched: it is asked, and nothing is sent.
      const other = await lone(printer_id);
      await db.run("update print_jobs set handed_over_at = now(), remote_id = '100' where job_id = $1", [other]);
      assert.equal((await attempt(other)).ended, "printed");
      ipp.becomes = { state: 8, reasons: ["aborted-by-system"] };
      await db.run("update print_jobs set status = 'pending', completed_at = null where job_id = $1", [other]);
      assert.deepEqual(await attempt(other), {
        ...{ ended: "failed", why: "The printer has aborted it: aborted-by-system" },
      });
      assert.equal(ipp.jobs.length, 1);
      assert.deepEqual([...readIpp(Buffer.from("010100020000000103", "hex")).found], []);
    } finally {
      await ipp.close();
    }
  });

  it("go through a service like PrintNode, once, whatever breaks off", async () => {
    const node = await openPrintNode();
    try {
      node.breaks = ["reset"];
      const of = { kind: "printnode", address: node.address, api_key: PRINTNODE_KEY };
      const { printer_id } = await printerOf(of);
      const { job_id } = await print({ document: "bin_label", record_ids: [await bin()], printer_id });
      await becomes(job_id, "printed");
      assert.equal(node.jobs.length, 1);
      await by.ok("POST", `${PRINT_JOBS}/${job_id}/again`);
      await until(() => node.jobs.length === 2);
      await becomes(job_id, "printed");
    } finally {
      await node.close();
    }
  });

  it("print a test page, also on a printer that is not in use", async () => {
    const { printer_id, printer_name } = await printerOf();
    await service.admin.ok("PUT", `${PRINTERS}/${printer_id}`, { is_active: false });
    const { job_id, document } = await service.admin.ok("POST", `${PRINTERS}/${printer_id}/test`);
    assert.equal(document, "test_page");
    await becomes(job_id, "printed");
    assert.ok(printer.printed[0]?.includes(printer_name) && printer.printed[0]?.includes("203 dpi"));
  });

  it("are listed in the caller's warehouses, by printer, status and document", async () => {
    const [one, two] = [await insertPrinter(at.warehouse_id), await insertPrinter(await fixtures.warehouse())];
    const [failed, printed] = [await insertPrintJob(one), await insertPrintJob(one, { status: "printed" })];
    const test = await insertPrintJob(one, { document: "test_page" });
    const abroad = await insertPrintJob(two);
    const listed = async (query: string, who = by) => {
      const { print_jobs } = await who.ok("GET", `${PRINT_JOBS}${query}`);
      return print_jobs.map((one: { job_id: number }) => one.job_id);
    };
    assert.deepEqual(await listed(""), [test, printed, failed]);
    assert.deepEqual(await listed("?status=failed&document=bin_label"), [failed]);
    assert.deepEqual(await listed(`?printer_id=${two}`, service.admin), [abroad]);
    assert.deepEqual(await listed(`?warehouse_id=${at.warehouse_id}&status=printed`, service.admin), [printed]);
    const { warehouse_id } = await floor(service);
    assert.equal((await by.get(`${PRINT_JOBS}?warehouse_id=${warehouse_id}`)).code, "warehouse_denied");
    await db.run("update print_jobs set completed_at = now() - interval '91 days' where job_id = $1", [printed]);
    assert.equal(await purgePrintJobs(), 1);
    assert.deepEqual(await listed(""), [test, failed]);
  });

  it("go on from their rows when their workflow is missing, and end with their printer", async () => {
    const { printer_id } = await printerOf();
    const job_id = await lone(printer_id);
    const { started } = await startMissing(temporalClient(), service.config);
    assert.ok(started.includes(printWorkflowId(job_id)));
    await becomes(job_id, "printed");
    const other = await lone(printer_id);
    assert.deepEqual(await giveUpPrint(other, "give-up-1"), { ended: "cancelled", why: null });
    assert.deepEqual(await giveUpPrint(other, "give-up-2"), { ended: "stopped", why: null });
  });
});
