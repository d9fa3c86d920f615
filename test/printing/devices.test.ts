import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { placeOf } from "../../src/printing/addresses.js";
import { type Device, type DeviceLimits, NotPrinted, type PrintOut } from "../../src/printing/devices/device.js";
import { ippPrinter } from "../../src/printing/devices/ipp.js";
import { printNodePrinter } from "../../src/printing/devices/printnode.js";
import { rawPrinter } from "../../src/printing/devices/raw.js";
import { patient } from "../support/machine-speed.js";
import { openIppPrinter, openPrintNode, openRawPrinter, PRINTNODE_KEY } from "../support/printers.js";

const addresses = [{ address: "127.0.0.1", family: 4 }];
const limits: DeviceLimits = { connectMs: patient(5_000), answerMs: patient(5_000) };
/** For a printer that never answers. */
const short: DeviceLimits = { ...limits, answerMs: 200 };

describe("printers over the wire", () => {
  let noted: string[];
  beforeEach(() => {
    noted = [];
  });
  const out = (fields: Partial<PrintOut> = {}): PrintOut => ({
    ...{ title: "bin label A-01", format: "zpl", content: Buffer.from("^XA^XZ"), runId: randomUUID() },
    signal: new AbortController().signal,
    handOver: async () => void noted.push("handed over"),
    takeBack: async () => void noted.push("taken back"),
    ...fields,
  });
  const send = (device: Device, fields: Partial<PrintOut> = {}) => device.send(out(fields));
  /** Why it was not printed, and whether that is for good. */
  const refused = (asked: Promise<unknown>) =>
    asked.then(
      () => assert.fail("it was printed"),
      (error) => {
        assert.ok(error instanceof NotPrinted, `${error.stack}`);
        return [error.message, error.isFinal];
      },
    );
  const look = (device: Device, id: string | null) => device.look(`${id}`, new AbortController().signal);

  describe("of a socket", () => {
    let printer: Awaited<ReturnType<typeof openRawPrinter>>;
    beforeEach(async () => {
      printer = await openRawPrinter();
    });
    afterEach(() => printer.close());

    it("get all bytes, and are done when they close the connection", async () => {
      const content = Buffer.alloc(3_000_000, "^FDx^FS");
      assert.equal(await send(rawPrinter(addresses, printer.port, limits), { content }), null);
      assert.deepEqual(
        [printer.printed.length, printer.printed[0]?.length, noted],
        [1, content.length, ["handed over"]],
      );
    });

    it("get nothing where no connection is made, which may be tried again", async () => {
      await printer.close();
      const [why, isFinal] = await refused(send(rawPrinter(addresses, printer.port, limits)));
      assert.deepEqual([why, isFinal, noted], ["No connection (ECONNREFUSED)", false, []]);
      printer = await openRawPrinter();
    });

    it("may have printed it where they reset the connection, close it early, or never close it", async () => {
      const content = Buffer.alloc(3_000_000, "x");
      for (const behaviour of ["resets", "early", "hangs"] as const) {
        printer.behaviour = behaviour;
        const device = rawPrinter(addresses, printer.port, behaviour === "hangs" ? short : limits);
        const [why, isFinal] = await refused(send(device, { content }));
        assert.match(`${why}`, /may have been printed/, behaviour);
        assert.equal(isFinal, true, behaviour);
      }
      assert.deepEqual(printer.printed, []);
    });

    it("get nothing where it is not to be handed over, and are left when the worker stops", async () => {
      const cancelled = new NotPrinted("cancelled");
      const device = rawPrinter(addresses, printer.port, limits);
      await assert.rejects(send(device, { handOver: () => Promise.reject(cancelled) }), cancelled);
      printer.behaviour = "hangs";
      const stop = new AbortController();
      const sending = send(device, { signal: stop.signal, handOver: async () => stop.abort(new Error("stopped")) });
      await assert.rejects(sending, /stopped/);
      await assert.rejects(send(device, { signal: AbortSignal.abort(new Error("stopped before")) }), /stopped before/);
      assert.deepEqual(printer.printed, []);
    });
  });

  describe("by IPP", () => {
    let printer: Awaited<ReturnType<typeof openIppPrinter>>;
    let device: Device;
    beforeEach(async () => {
      printer = await openIppPrinter();
      device = deviceWith(limits);
    });
    afterEach(() => printer.close());
    const deviceWith = (how: DeviceLimits) =>
      ippPrinter({ url: placeOf("ipp", printer.address).url as URL, addresses, limits: how });

    it("give the job an id, by which they say what became of it", async () => {
      const id = await send(device, { format: "pdf", content: Buffer.from("%PDF-1") });
      const [job] = printer.jobs;
      assert.deepEqual(
        [id, job?.name, job?.format, job?.document.toString(), noted],
        ["100", "bin label A-01", "application/pdf", "%PDF-1", ["handed over"]],
      );
      printer.becomes = { state: 5, reasons: ["job-printing"] };
      assert.deepEqual(await look(device, id), {
        ...{ state: "waiting", why: "The printer has it, but has not printed it: job-printing" },
      });
      printer.becomes = { state: 9, reasons: ["job-completed-successfully"] };
      assert.deepEqual(await look(device, id), { state: "printed" });
      await send(device);
      assert.equal(printer.jobs[1]?.format, "application/octet-stream");
    });

    it("are not sent what they do not take, now or ever", async () => {
      printer.accepts = false;
      assert.deepEqual(await refused(send(device)), ["The printer takes no jobs: media-empty-error", false]);
      printer.accepts = true;
      printer.formats = ["image/urf"];
      assert.deepEqual(await refused(send(device, { format: "pdf" })), [
        "The printer takes no application/pdf, but image/urf",
        true,
      ]);
      assert.deepEqual([noted, printer.jobs], [[], []]);
    });

    it("may be tried again where they are busy, and not where they refuse a job for good", async () => {
      printer.refuses = 0x0507;
      assert.deepEqual(await refused(send(device)), ["The printer refused it (0x0507)", false]);
      printer.refuses = 0x0403;
      assert.deepEqual(await refused(send(device)), ["The printer refused it (0x0403)", true]);
      assert.deepEqual(noted, ["handed over", "taken back", "handed over", "taken back"]);
    });

    it("may have printed it where the answer does not come, or is not understood", async () => {
      for (const refuses of ["reset", "html"] as const) {
        printer.refuses = refuses;
        const [why, isFinal] = await refused(send(device));
        assert.match(`${why}`, /may have been printed/);
        assert.equal(isFinal, true);
      }
      assert.deepEqual(noted, ["handed over", "handed over"]);
    });

    it("say that they aborted it, or that they forgot it", async () => {
      const id = await send(device);
      printer.becomes = { state: 8, reasons: ["aborted-by-system", "document-format-error"] };
      assert.deepEqual(await refused(look(device, id)), [
        "The printer has aborted it: aborted-by-system, document-format-error",
        true,
      ]);
      printer.becomes = { state: 7, reasons: ["none"] };
      assert.deepEqual(await refused(look(device, id)), ["The printer has canceled it", true]);
      printer.forgets = true;
      assert.match(
        `${(await refused(look(device, id)))[0]}`,
        /knows nothing of its job 100 any more: it may have been/,
      );
    });

    it("are asked again where nothing answers", async () => {
      await printer.close();
      assert.deepEqual(await refused(send(device)), ["No connection (ECONNREFUSED)", false]);
      printer = await openIppPrinter();
    });
  });

  describe("behind a service like PrintNode", () => {
    let service: Awaited<ReturnType<typeof openPrintNode>>;
    beforeEach(async () => {
      service = await openPrintNode();
    });
    afterEach(() => service.close());
    const device = (key = PRINTNODE_KEY, address = service.address) =>
      printNodePrinter({ url: placeOf("printnode", address).url as URL, addresses, limits }, key);

    it("get PDF and ZPL, and say what became of it", async () => {
      const id = await send(device());
      await send(device(), { format: "pdf" });
      assert.deepEqual(
        service.jobs.map((job) => [job.title, job.contentType, Buffer.from(job.content, "base64").toString()]),
        [
          ["bin label A-01", "raw_base64", "^XA^XZ"],
          ["bin label A-01", "pdf_base64", "^XA^XZ"],
        ],
      );
      service.becomes = "queued";
      assert.equal((await look(device(), id)).state, "waiting");
      service.becomes = "done";
      assert.deepEqual(await look(device(), id), { state: "printed" });
      service.becomes = "expired";
      assert.deepEqual(await refused(look(device(), id)), ["The service has not printed it: expired", true]);
      assert.match(`${(await refused(look(device(), "7")))[0]}`, /knows nothing of its job 7/);
    });

    it("print it once, however often it is sent", async () => {
      service.breaks = ["reset"];
      const runId = randomUUID();
      const [why, isFinal] = await refused(send(device(), { runId }));
      assert.match(`${why}`, /The connection broke off/);
      assert.equal(isFinal, false);
      assert.equal(await send(device(), { runId }), "900");
      assert.equal(await send(device(), { runId }), "900");
      assert.equal(service.jobs.length, 1);
    });

    it("are asked again where the service is busy or broken, and not where it refuses", async () => {
      service.breaks = [429, 503, 400];
      assert.deepEqual(await refused(send(device())), ["The service answered HTTP status 429", false]);
      assert.deepEqual(await refused(send(device())), ["The service answered HTTP status 503", false]);
      assert.deepEqual(await refused(send(device())), ["The service answered HTTP status 400", true]);
      const wrongKey = "The service refused the API key (HTTP status 401)";
      assert.deepEqual(await refused(send(device("wrong"))), [wrongKey, true]);
      assert.deepEqual(service.jobs, []);
    });
  });
});
