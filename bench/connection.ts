import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request as it goes over the wire, such as `GET /api/auth/me`; made beforehand, so that making it does not count. */
export function request(
  line: `${"GET" | "POST" | "DELETE"} /${string}`,
  token: string | undefined,
  body?: unknown,
  credential:
    | "authorization: Bearer"
    | "x-wms-token:" = "authorization: Bearer",
): Buffer {
  const json = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${line} HTTP/1.1`,
    "host: 127.0.0.1",
    ...(token ? [`${credential} ${token}`] : []),
    ...(json
      ? [
          "content-type: application/json",
          `content-length: ${Buffer.byteLength(json)}`,
        ]
      : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${json}`);
}

/**
 * One kept HTTP connection, one request at a time. It reads no more of HTTP than the API's answers hold (a length, JSON):
 * the client shares the machine with what it measures, and `http.request` costs five times as much.
 */
export class Connection {
  #received: Buffer = Buffer.alloc(0);
  #answered: ((body: Buffer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("connection closed")));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  }

  close(): void {
    this.#failed = undefined;
    this.socket.destroy();
  }

  /** Sends, and gives the answer's body; an answer other than 2xx is an error. */
  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.socket.write(request);
    });
  }

  #read(chunk: Buffer): void {
    this.#received =
      this.#received.length > 0
        ? Buffer.concat([this.#received, chunk])
        : chunk;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.subarray(end + 4);
    this.#received = Buffer.alloc(0);
    if (head.startsWith("HTTP/1.1 2")) this.#answered?.(body);
    else this.#failed?.(new Error(`${head.split("\r\n")[0]}: ${body}`));
  }
}
