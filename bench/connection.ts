import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** `POST /api/auth/login` */
export type RequestLine = `${"GET" | "POST" | "DELETE"} /${string}`;

/**
 * A request as it goes over the wire, such as `GET /api/auth/me`; made beforehand, so that making it does not count.
 */
export function request(
  line: RequestLine,
  token: string | undefined,
  body?: unknown,
  credential: "authorization: Bearer" | "x-wms-token:" = "authorization: Bearer",
): Buffer {
  const json = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${line} HTTP/1.1`,
    "host: 127.0.0.1",
    ...(token ? [`${credential} ${token}`] : []),
    ...(json ? ["content-type: application/json", `content-length: ${Buffer.byteLength(json)}`] : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${json}`);
}

/**
 * One kept HTTP connection, one request at a time. It reads no more of HTTP than the API's answers hold (a length,
 * JSON): the client shares the machine with what it measures, and `http.request` costs five times as much.
 */
export class Connection {
  /** What came of the answer, and how many bytes it will have once its head is known. */
  #received: Buffer[] = [];
  #length = 0;
  #expected: number | undefined;
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
      this.socket.write(request, (error) => error && reject(error));
    });
  }

  /** The same for a request whose making may count; gives what the answer says. */
  async ask(line: RequestLine, token: string, body?: unknown) {
    const answer = `${await this.send(request(line, token, body))}`;
    return answer && JSON.parse(answer);
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
    this.#expected ??= expectedLength(inOne(this.#received));
    if (this.#expected === undefined || this.#length < this.#expected) return;
    const answer = inOne(this.#received);
    this.#received = [];
    this.#length = 0;
    this.#expected = undefined;
    const body = answer.subarray(answer.indexOf(END_OF_HEAD) + 4);
    if (answer.toString("latin1", 0, 10) === "HTTP/1.1 2") this.#answered?.(body);
    else this.#failed?.(new Error(`${answer}`));
  }
}

/** Not a copy of what came in one piece: copies are garbage outside the heap, which makes the collector run often. */
const inOne = (pieces: Buffer[]): Buffer => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));

const END_OF_HEAD = "\r\n\r\n";

/** How long an answer is in all, when all of its head is there. */
function expectedLength(begun: Buffer): number | undefined {
  const end = begun.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = begun.toString("latin1", 0, end);
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}
