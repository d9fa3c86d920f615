import { warehouse } from "../support/fixtures.js";
import { openRawPrinter, PRINTER_ENV } from "../support/printers.js";
import { PRINT_JOBS, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";
import { codeOf } from "../support/shown-floor.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";

/** What is sent to printers, in Temporal's own UI, as in temporal-ui-messages.test.ts. */
describe("the Temporal UI shows of what is sent to a printer:", function () {
  this.timeout(120_000);
  const ui = temporalUi();
  let service: TestService;
  let warehouse_id: number;
  before(async () => {
    service = await openService({ worker: true, env: PRINTER_ENV });
    warehouse_id = await warehouse();
  });
  after(() => service.close());

  /** The workflow of a test page for a printer there. */
  async function printOn(address: string, printer_name: string): Promise<{ id: string; job_id: number }> {
    const body = printerBody(warehouse_id, { kind: "raw9100", address, printer_name, api_key: undefined });
    const { printer_id } = await service.admin.ok("POST", PRINTERS, body);
    const { job_id } = await service.admin.ok("POST", `${PRINTERS}/${printer_id}/test`);
    return { id: `print-job-${job_id}`, job_id };
  }

  it("that it was printed, and that nobody knows whether it was", async () => {
    const printer = await openRawPrinter();
    try {
      await ui.check("print-printed", (await printOn(printer.address, "Bench 1")).id, {
        list: ["COMPLETED", "printJob", "printed"],
        details: [/test page has ended: printed/, "Bench 1 took it"],
      });
      printer.behaviour = "resets";
      await ui.check("print-failed", (await printOn(printer.address, "Bench 2")).id, {
        list: ["FAILED", "printJob", "failed"],
        page: [/Bench 2 did not print test page/, /it may have been printed/],
        details: [/test page has ended: failed/, "have it printed again: POST"],
      });
    } finally {
      await printer.close();
    }
  });

  it("why it is tried again, and when; that it was given up there, or cancelled at the desk", async () => {
    const { id } = await printOn("127.0.0.1:1", "Bench 3");
    await ui.look("print-retrying", id, {
      list: ["RUNNING", "printJob", "retrying", await codeOf(warehouse_id)],
      page: [/attempt \d failed: No connection/],
      details: [/test page waits for its next attempt/, "No connection", /attempt \d of 6 at/, TIME],
    });
    await ui.pressCancel(id);
    await endsCancelled(id);
    await ui.check("print-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI", "have it printed again: POST"],
    });
    const other = await printOn("127.0.0.1:1", "Bench 4");
    await service.admin.ok("POST", `${PRINT_JOBS}/${other.job_id}/cancel`);
    await ui.check("print-stopped", other.id, {
      list: ["COMPLETED", "printJob", "stopped"],
      details: ["somebody cancelled it"],
    });
  });
});
