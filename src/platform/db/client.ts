import pg from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { leaveHost, urlOfPrimary, urlsOf } from "../database-hosts.js";

/** The part of pg's parser that is replaced here; its types keep it private. */
interface MessageParser {
  parse(chunk: Buffer, answer: (message: { name: string }) => void): void;
  handlePacket(start: number, code: number, length: number, bytes: Buffer): { name: string };
}

const DATA_ROW = "D".charCodeAt(0);

/**
 * A row as Postgres sent it, in bytes that are overwritten later: the number of its fields, and for each field its
 * length, or -1 for null, and its bytes.
 */
export class DataRow {
  readonly name = "dataRow";

  constructor(
    readonly length: number,
    readonly bytes: Buffer,
    readonly start: number,
  ) {}

  /** Where it ends. Its length includes the four bytes that say it. */
  get end(): number {
    return this.start + this.length - 4;
  }

  /** The texts of its fields. */
  get fields(): (string | null)[] {
    return fieldsOf(this, false);
  }

  /** Its fields with a character for each byte of them. */
  get byteFields(): (string | null)[] {
    return fieldsOf(this, true);
  }
}

/** Leaves rows as they are for who reads them. */
class RowParser extends (Parser as unknown as new () => MessageParser) {
  override handlePacket(start: number, code: number, length: number, bytes: Buffer) {
    if (code !== DATA_ROW) return super.handlePacket(start, code, length, bytes);
    return new DataRow(length, bytes, start);
  }
}

/**
 * By one call into Node for all of them. pg makes one call for each field, which is a tenth of the API's time for a
 * page of a list.
 */
function fieldsOf({ bytes, start, end }: DataRow, areBytes: boolean): (string | null)[] {
  // One character for each byte, so that a field has the same offset in both.
  const characters = bytes.toString("latin1", start, end);
  const fields = new Array<string | null>(bytes.readInt16BE(start));
  let from = start + 2;
  for (let i = 0; i < fields.length; i++) {
    const length = bytes.readInt32BE(from);
    from += 4;
    const to = from + Math.max(length, 0);
    if (length < 0) fields[i] = null;
    else if (areBytes || isAscii(bytes, from, to)) fields[i] = characters.slice(from - start, to - start);
    else fields[i] = bytes.toString("utf8", from, to);
    from = to;
  }
  return fields;
}

function isAscii(bytes: Buffer, from: number, to: number): boolean {
  let bits = 0;
  for (let at = from; at < to; at++) bits |= bytes[at] as number;
  return bits < 0x80;
}

/** SQLSTATE of a write to a standby. */
const READ_ONLY = "25006";

type Done = (error?: Error | null) => void;

/**
 * pg's client, with `RowParser` in place of its parser. Of a URL with several hosts it connects to the primary: when a
 * host cannot be reached, or is a standby, it fails, and the next client tries the next host.
 */
export class Client extends pg.Client {
  readonly #url: string;
  readonly #tried: string;
  #isStandby = false;

  constructor({ connectionString = "", ...config }: pg.ClientConfig = {}) {
    const tried = urlOfPrimary(connectionString);
    super({ ...config, connectionString: tried });
    this.#url = connectionString;
    this.#tried = tried;
    const { connection } = this as unknown as { connection: pg.Connection };
    connection.on("parameterStatus", ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === "in_hot_standby") this.#isStandby = parameterValue === "on";
    });
    const answer = (message: { name: string }) =>
      connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
    const attachListeners = (stream: NodeJS.ReadableStream) => {
      const parser = new RowParser();
      stream.on("data", (chunk: Buffer) => parser.parse(chunk, answer));
    };
    Object.assign(connection, { attachListeners });
  }

  override connect(): Promise<this>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<this> | undefined {
    if (!done)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    super.connect((error: Error | null) => {
      if (urlsOf(this.#url).length === 1) return done(error);
      const fault = error ?? (this.#isStandby ? standby() : null);
      if (fault) leaveHost(this.#url, this.#tried);
      if (fault && !error) this.end().catch(() => {});
      done(fault);
    });
  }
}

const standby = () => Object.assign(new Error("this host is a standby"), { code: READ_ONLY });
