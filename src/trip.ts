import pg from "pg";
import { prepareValue } from "pg/lib/utils.js";

/** Of pg's connection, what a trip speaks through, as other query classes do (pg-cursor). */
interface Connection {
  stream: { cork(): void; uncork(): void };
  close(statement: { type: "S"; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: unknown[] }): void;
  describe(portal: { type: "P" }): void;
  execute(portal: object): void;
  sync(): void;
}

interface Column {
  name: string;
  read(text: string): unknown;
}

/** What came of a statement: its rows, and how many rows it touched. */
export interface Answer {
  rows: unknown[];
  count: number;
}

interface Statement {
  name: string;
  text: string;
  values: unknown[];
  /** Of its rows, once Postgres has described them. */
  columns?: Column[] | undefined;
  rows: unknown[];
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

// Texts are constants of the code, hence few; what has a better plan for some values is asked without a name.
const names = new Map<string, string>();
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `q${names.size}`;
  names.set(text, name);
  return name;
}

/** The statements that a connection has prepared, with their columns; undefined for one that may be there or not. */
const prepared = new WeakMap<Connection, Map<string, Column[] | undefined>>();

/** SQLSTATEs of a prepared statement that is gone, or whose table has other columns now. */
const STALE = ["26000", "0A000"];

/**
 * Statements that go to Postgres in one piece and run in their order. Their answers come back in one piece too: to send and to
 * read each by itself is much of what a small statement costs. Where one fails, those behind it are not run, and fail with it.
 */
export class Trip {
  /** Where pg's pool wants to be told. */
  callback?: (error: Error | null) => void;
  readonly #statements: Statement[] = [];
  #answered = 0;
  #known = new Map<string, Column[] | undefined>();

  /**
   * Adds a statement that Postgres parses, plans and describes once per connection, whatever the values. Left to itself, it plans
   * many of them anew each time, because one value or another would do with less, and that takes longer than to run them.
   */
  ask(text: string, values: unknown[] = []): Promise<Answer> {
    return this.#add(nameOf(text), text, values);
  }

  /** Adds a statement that is planned for its values. */
  askUnprepared(text: string, values: unknown[]): Promise<Answer> {
    return this.#add("", text, values);
  }

  async #add(name: string, text: string, values: unknown[]): Promise<Answer> {
    const statement = {
      name,
      text,
      values: values.map((v) => prepareValue(v)),
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#statements.push({ ...statement, rows: [], resolve, reject });
      });
    } catch (error) {
      // Where it was asked, not where the answer was read.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /** Tells all that were not answered yet. */
  fail(error: Error): void {
    for (const { reject } of this.#statements.slice(this.#answered))
      reject(error);
  }

  // From here on it is pg that calls.

  submit(connection: Connection): void {
    const known = prepared.get(connection) ?? new Map();
    prepared.set(connection, known);
    this.#known = known;
    connection.stream.cork();
    for (const statement of this.#statements) {
      const { name, text, values } = statement;
      statement.columns = known.get(name);
      if (!statement.columns) {
        if (known.has(name)) connection.close({ type: "S", name });
        if (name) known.set(name, undefined);
        connection.parse({ name, text });
      }
      connection.bind({ statement: name, values });
      if (!statement.columns) connection.describe({ type: "P" });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: pg.types.getTypeParser(dataTypeID, "text"),
    }));
    this.#current.columns = columns;
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns = [], rows } = this.#current;
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) {
      const { name, read } = columns[i] as Column;
      const text = fields[i] as string | null;
      row[name] = text === null ? null : read(text);
    }
    rows.push(row);
  }

  /** `text` is such as `UPDATE 3`, `INSERT 0 3` or `BEGIN`. */
  handleCommandComplete({ text }: { text: string }): void {
    const { name, rows, columns = [], resolve } = this.#current;
    if (name) this.#known.set(name, columns);
    resolve({ rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#answered++;
  }

  /** Of a statement or of the connection. */
  handleError(error: Error & { code?: string }): void {
    const failed = this.#statements[this.#answered];
    if (failed && STALE.includes(error.code ?? ""))
      this.#known.set(failed.name, undefined);
    this.fail(error);
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
  }

  get #current(): Statement {
    return this.#statements[this.#answered] as Statement;
  }
}

/** A pool or a connection of pg: they take query classes of one's own, which their types do not say. */
export interface Carrier {
  query(
    trip: Trip,
    values?: undefined,
    done?: (error: Error | null) => void,
  ): void;
}

/** The trips over one connection: what is asked in one turn of the event loop travels together. */
export class Trips {
  #next: Trip | undefined;

  constructor(private readonly client: Carrier) {}

  ask(text: string, values?: unknown[]): Promise<Answer> {
    if (!this.#next) {
      this.#next = new Trip();
      process.nextTick(() => this.depart());
    }
    return this.#next.ask(text, values);
  }

  /** Sends what was asked, without waiting for more. */
  depart(): void {
    const trip = this.#next;
    this.#next = undefined;
    if (trip) this.client.query(trip);
  }
}
