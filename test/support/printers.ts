import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { until } from "./until.js";

/** Printers and a service like PrintNode, as servers of this machine. */

export const PRINTER_ENV = { SERVICE_PRINTER_NETWORKS: "127.0.0.0/8" };

/** What a raw printer does with a connection: `early` closes it before it has read everything. */
export type RawBehaviour = "prints" | "resets" | "hangs" | "early";

/** A printer that prints what is written to its port. */
export async function openRawPrinter(port = 0) {
  const printed: string[] = [];
  const sockets = new Set<Socket>();
  const printer = {
    ...{ address: "", port: 0, printed, connections: 0, behaviour: "prints" as RawBehaviour, close, cut },
    /** How long it prints. */
    takesMs: 0,
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    printer.connections++;
    const chunks: Buffer[] = [];
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      chunks.push(bytes);
      if (printer.behaviour === "resets") socket.resetAndDestroy();
      if (printer.behaviour === "early") socket.destroy();
    });
    socket.on("end", () => {
      if (printer.behaviour !== "prints") return;
      // On paper it is, whether anybody waits for the end of it or not.
      printed.push(Buffer.concat(chunks).toString("latin1"));
      setTimeout(() => socket.end(), printer.takesMs);
    });
  });
  await listening(server, port);
  printer.port = (server.address() as AddressInfo).port;
  printer.address = `127.0.0.1:${printer.port}`;
  async function close() {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
  /** Closes as one whose plug was pulled: a connection ends in an error, and not as one that is done. */
  async function cut() {
    for (const socket of sockets) socket.resetAndDestroy();
    await close();
  }
  return printer;
}

async function listening(server: Server | http.Server, port: number): Promise<void> {
  await until(async () => {
    server.listen(port, "127.0.0.1");
    return once(server, "listening").then(
      () => true,
      () => false,
    );
  });
}

async function openHttp(answer: (req: http.IncomingMessage, body: Buffer, res: http.ServerResponse) => void) {
  const server = http.createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    answer(req, Buffer.concat(chunks), res);
  });
  await listening(server, 0);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface IppJob {
  id: number;
  name: string;
  format: string;
  document: Buffer;
  /** As RFC 8011, 5.3.7: 3 pending, 5 processing, 6 stopped, 7 canceled, 8 aborted, 9 completed. */
  state: number;
  reasons: string[];
}

/** The attributes of an IPP message by name, each with its first value, and the bytes behind them. */
export function readIpp(message: Buffer) {
  const found = new Map<string, Buffer>();
  let at = 8;
  while (message[at] !== 3) {
    const tag = message[at++] as number;
    if (tag < 0x10) continue;
    const nameLength = message.readUInt16BE(at);
    const name = message.subarray(at + 2, at + 2 + nameLength).toString();
    at += 2 + nameLength;
    const length = message.readUInt16BE(at);
    if (name) found.set(name, message.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { version: message.subarray(0, 2), operation: message.readUInt16BE(2), found, data: message.subarray(at + 1) };
}

type IppValue = number | boolean | string;

/** An IPP answer: operation attributes, and a group of others. */
export function ippAnswer(requestId: number, status: number, group?: { tag: number; of: Record<string, IppValue[]> }) {
  const bytes: number[] = [1, 1, status >> 8, status & 255];
  const id = Buffer.alloc(4);
  id.writeUInt32BE(requestId);
  bytes.push(...id, 1);
  const put = (tag: number, name: string, value: Buffer) => {
    const text = Buffer.from(name);
    bytes.push(tag, text.length >> 8, text.length & 255, ...text, value.length >> 8, value.length & 255, ...value);
  };
  put(0x47, "attributes-charset", Buffer.from("utf-8"));
  put(0x48, "attributes-natural-language", Buffer.from("en"));
  if (group) bytes.push(group.tag);
  for (const [name, values] of Object.entries(group?.of ?? {}))
    for (const [i, value] of values.entries()) {
      const number = Buffer.alloc(4);
      if (typeof value === "number") number.writeInt32BE(value);
      if (typeof value === "string") put(0x44, i === 0 ? name : "", Buffer.from(value));
      else if (typeof value === "boolean") put(0x22, i === 0 ? name : "", Buffer.from([Number(value)]));
      else put(name === "job-id" ? 0x21 : 0x23, i === 0 ? name : "", number);
    }
  bytes.push(3);
  return Buffer.from(bytes);
}

/** A printer that speaks IPP: it completes each job when it is first asked for, unless it is told otherwise. */
export async function openIppPrinter() {
  const jobs: IppJob[] = [];
  const printer = {
    ...{ address: "", jobs, accepts: true, formats: ["application/pdf", "application/octet-stream"] },
    /** The status of the answer to Print-Job where that is to be an error, or what becomes of its connection. */
    refuses: undefined as number | "reset" | "html" | undefined,
    /** How long it takes to answer that it has a job. */
    takesMs: 0,
    /** What becomes of a job that is asked for. */
    becomes: { state: 9, reasons: ["job-completed-successfully"] },
    /** Forgets its jobs as soon as it has them. */
    forgets: false,
    close: async () => {},
  };
  const server = await openHttp((req, body, res) => {
    const { operation, found, data } = readIpp(body);
    const requestId = body.readUInt32BE(4);
    const answer = (status: number, group?: Parameters<typeof ippAnswer>[2]) => {
      res.setHeader("Content-Type", "application/ipp");
      res.end(ippAnswer(requestId, status, group));
    };
    if (req.headers["content-type"] !== "application/ipp") return void res.writeHead(415).end();
    if (operation === 0x000b)
      return answer(0, {
        tag: 4,
        of: {
          "printer-is-accepting-jobs": [printer.accepts],
          "printer-state-reasons": [printer.accepts ? "none" : "media-empty-error"],
          "document-format-supported": printer.formats,
        },
      });
    if (operation === 0x0002) {
      if (printer.refuses === "reset") return void req.socket.resetAndDestroy();
      if (printer.refuses === "html") return void res.end("<html>");
      if (printer.refuses !== undefined) return answer(printer.refuses);
      const job = { ...{ id: 100 + jobs.length, document: data, state: 3, reasons: ["none"] } };
      const text = (name: string) => `${found.get(name)}`;
      jobs.push({ ...job, name: text("job-name"), format: text("document-format") });
      const told = { tag: 2, of: { "job-id": [job.id], "job-state": [3] } };
      return void setTimeout(() => answer(0, told), printer.takesMs);
    }
    const job = jobs.find(({ id }) => id === found.get("job-id")?.readInt32BE());
    if (!job || printer.forgets) return answer(0x0406);
    Object.assign(job, printer.becomes);
    answer(0, { tag: 2, of: { "job-state": [job.state], "job-state-reasons": job.reasons } });
  });
  printer.address = `ipp://127.0.0.1:${server.port}/ipp/print`;
  printer.close = server.close;
  return printer;
}

interface NodeJob {
  id: number;
  printer: number;
  title: string;
  contentType: string;
  content: string;
  source: string;
  key: string;
  state: string;
}

export const PRINTNODE_KEY = "44784dd8d88be963";

/** A service with the interface of PrintNode, with the printer 70. */
export async function openPrintNode() {
  const jobs: NodeJob[] = [];
  const service = {
    ...{ address: "", jobs, becomes: "done" },
    /** What the next requests for a new job are answered after it was made, one each. */
    breaks: [] as ("reset" | number)[],
    close: async () => {},
  };
  const server = await openHttp((req, body, res) => {
    const answer = (status: number, told: unknown) => {
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(told));
    };
    const key = Buffer.from(`${req.headers.authorization}`.replace("Basic ", ""), "base64").toString();
    if (key !== `${PRINTNODE_KEY}:`) return answer(401, { code: "Unauthorized" });
    const { pathname } = new URL(req.url ?? "", "http://x");
    if (req.method === "POST" && pathname === "/printjobs") {
      const asked = JSON.parse(body.toString());
      if (asked.printerId !== 70) return answer(400, { code: "BadRequest" });
      const idempotencyKey = `${req.headers["x-idempotency-key"]}`;
      if (jobs.some((job) => job.key === idempotencyKey)) return answer(409, { code: "Conflict" });
      const broken = service.breaks.shift();
      if (typeof broken === "number") return answer(broken, { code: "broken" });
      const { printerId: printer, ...fields } = asked;
      jobs.push({ ...fields, id: 900 + jobs.length, printer, key: idempotencyKey, state: "new" });
      if (broken === "reset") return void req.socket.resetAndDestroy();
      return answer(201, jobs.at(-1)?.id);
    }
    const shown = jobs.map(({ id, title, source, state }) => ({ id, title, source, state }));
    if (pathname === "/printers/70/printjobs") return answer(200, shown);
    const id = Number(/^\/printjobs\/(\d+)$/.exec(pathname)?.[1]);
    for (const job of jobs) if (job.id === id) job.state = service.becomes;
    answer(
      200,
      jobs.filter((job) => job.id === id).map(({ id, state }) => ({ id, state })),
    );
  });
  service.address = `http://127.0.0.1:${server.port}/printers/70`;
  service.close = server.close;
  return service;
}
