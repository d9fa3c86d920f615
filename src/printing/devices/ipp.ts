import { Failure } from "../../outbound/wire/error-kinds.js";
import { failureOf } from "../../outbound/wire/exchange.js";
import { type Device, maybePrinted, NotPrinted, type PrintOut } from "./device.js";
import { ask, type Server } from "./http.js";
import { type Attribute, decodeIpp, encodeIpp, groups, type IppAnswer, type Value } from "./ipp-message.js";

/** Operations and states of RFC 8011. */
const PRINT_JOB = 0x0002;
const GET_JOB_ATTRIBUTES = 0x0009;
const GET_PRINTER_ATTRIBUTES = 0x000b;
const NOT_FOUND = 0x0406;
const FIRST_ERROR = 0x0400;
/** Errors of the server may pass; those of the client do not. */
const FIRST_SERVER_ERROR = 0x0500;
const jobStates = { 7: "canceled", 8: "aborted", 9: "completed" } as const;

/** What each format is sent as; a printer that takes ZPL takes it as it is. */
const mediaTypes = { pdf: "application/pdf", zpl: "application/octet-stream" } as const;

/** A printer that speaks IPP: it gives each job an id, and says what became of it. */
export function ippPrinter(server: Server): Device {
  // The scheme says how it was reached, of which printers take note.
  const scheme = server.url.protocol === "https:" ? "ipps" : "ipp";
  const uri = `${scheme}://${server.url.host}${server.url.pathname}`;
  let requestId = 0;

  async function request(
    operation: number,
    attributes: Attribute[],
    signal: AbortSignal,
    data?: Buffer,
  ): Promise<IppAnswer> {
    const to: Attribute = { name: "printer-uri", syntax: "uri", values: [uri] };
    const body = encodeIpp({
      operation,
      requestId: ++requestId,
      attributes: [to, ...attributes],
      ...(data && { data }),
    });
    const headers = { "Content-Type": "application/ipp" };
    const { status, body: bytes } = await ask(
      server,
      { method: "POST", path: server.url.pathname, headers, body },
      signal,
    );
    if (status !== 200) throw new HttpStatus(status);
    try {
      return decodeIpp(bytes);
    } catch (error) {
      if (error instanceof RangeError) throw new Failure("unknown", "The answer is no IPP that we understand");
      throw error;
    }
  }

  /** Asks something that prints nothing. */
  const question = (operation: number, attributes: Attribute[], signal: AbortSignal) =>
    request(operation, attributes, signal).catch((error) => {
      if (signal.aborted) throw error;
      throw new NotPrinted(wordsOf(error), isRefusal(error));
    });

  async function checkReady(format: PrintOut["format"], signal: AbortSignal): Promise<void> {
    const wanted = ["printer-is-accepting-jobs", "printer-state-reasons", "document-format-supported"];
    const answer = await question(
      GET_PRINTER_ATTRIBUTES,
      [{ name: "requested-attributes", syntax: "keyword", values: wanted }],
      signal,
    );
    refuseError(answer);
    const printer = attributesOf(answer, groups.printer);
    if (printer.get("printer-is-accepting-jobs")?.[0] === false)
      throw new NotPrinted(`The printer takes no jobs${reasons(printer, "printer-state-reasons")}`);
    const formats = printer.get("document-format-supported");
    if (formats && !formats.includes(mediaTypes[format]))
      throw new NotPrinted(`The printer takes no ${mediaTypes[format]}, but ${formats.join(", ")}`, true);
  }

  return {
    repeatable: false,
    async send({ title, format, content, signal, handOver, takeBack }) {
      await checkReady(format, signal);
      await handOver();
      const attributes: Attribute[] = [
        { name: "requesting-user-name", syntax: "name", values: ["warehouse"] },
        { name: "job-name", syntax: "name", values: [title] },
        { name: "document-format", syntax: "mimeMediaType", values: [mediaTypes[format]] },
      ];
      const answer = await request(PRINT_JOB, attributes, signal, content).catch(async (error) => {
        if (signal.aborted) throw error;
        if (!isRefusal(error)) throw maybePrinted(wordsOf(error));
        await takeBack();
        throw new NotPrinted(wordsOf(error), true);
      });
      if (answer.status >= FIRST_ERROR) {
        // It has made no job.
        await takeBack();
        refuseError(answer);
      }
      const id = attributesOf(answer, groups.job).get("job-id")?.[0];
      if (typeof id !== "number") throw maybePrinted("The printer took it, but gave no id");
      return String(id);
    },
    async look(remoteId, signal) {
      const answer = await question(
        GET_JOB_ATTRIBUTES,
        [
          { name: "job-id", syntax: "integer", values: [Number(remoteId)] },
          { name: "requested-attributes", syntax: "keyword", values: ["job-state", "job-state-reasons"] },
        ],
        signal,
      );
      if (answer.status === NOT_FOUND) throw maybePrinted(`The printer knows nothing of its job ${remoteId} any more`);
      refuseError(answer);
      const job = attributesOf(answer, groups.job);
      const state = jobStates[job.get("job-state")?.[0] as keyof typeof jobStates];
      if (state === "completed") return { state: "printed" };
      const why = reasons(job, "job-state-reasons");
      if (state) throw new NotPrinted(`The printer has ${state} it${why}`, true);
      return { state: "waiting", why: `The printer has it, but has not printed it${why}` };
    },
  };
}

/** An answer that is no IPP; from 400 to 499 nothing was printed. */
class HttpStatus extends Error {
  override name = "HttpStatus";
  constructor(readonly status: number) {
    super(`HTTP status ${status}`);
  }
}

const isRefusal = (error: unknown) => error instanceof HttpStatus && error.status >= 400 && error.status < 500;

const wordsOf = (error: unknown) => (error instanceof HttpStatus ? error.message : failureOf(error).detail);

/** Throws where the answer is an error, in the printer's words if it has any. */
function refuseError(answer: IppAnswer): void {
  if (answer.status < FIRST_ERROR) return;
  const said = attributesOf(answer, groups.operation).get("status-message")?.[0];
  const words = typeof said === "string" && said ? `: ${said}` : "";
  const code = `0x${answer.status.toString(16).padStart(4, "0")}`;
  throw new NotPrinted(`The printer refused it (${code})${words}`, answer.status < FIRST_SERVER_ERROR);
}

const attributesOf = (answer: IppAnswer, tag: number): Map<string, Value[]> =>
  answer.groups.find((group) => group.tag === tag)?.attributes ?? new Map();

/** The reasons of a state, such as `: media-empty-error`. */
function reasons(of: Map<string, Value[]>, name: string): string {
  const told = (of.get(name) ?? []).filter((reason) => reason !== "none");
  return told.length > 0 ? `: ${told.join(", ")}` : "";
}
