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

type Row = Record<string, unknown>;

/** What the rows of a statement look like. */
interface Shape {
  names: string[];
  readers: ((text: string) => unknown)[];
  /** A row of nulls: copied and filled, it is faster than one that grows. */
  blank: Row;
}

const NO_ROWS: Shape = { names: [], readers: [], blank: {} };

/** What came of a statement: its rows, and how many rows it touched. */
export interface Answer {
  rows: unknown[];
  count: number;
}

/** A statement on its way. */
class Statement {
  /** Undefined until Postgres has described it, which it does for what gives rows. */
  shape: Shape | undefined;
  readonly rows: Row[] = [];

  constructor(
    readonly name: string,
    readonly text: string,
    readonly values: unknown[],
    readonly resolve: (answer: Answer) => void,
    readonly reject: (error: Error) => void,
  ) {}
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

/** The statements that a connection has prepared, by name; undefined for one that may be there or not. */
type Prepared = Map<string, Shape | undefined>;
const preparedOn = new WeakMap<Connection, Prepared>();

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
  #prepared: Prepared = new Map();

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
    const written = values.map((value) => prepareValue(value));
    try {
      return await new Promise((resolve, reject) => {
        this.#statements.push(
          new Statement(name, text, written, resolve, reject),
        );
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
    const prepared = preparedOn.get(connection) ?? new Map();
    preparedOn.set(connection, prepared);
    this.#prepared = prepared;
    connection.stream.cork();
    for (const statement of this.#statements) {
      const { name, text, values } = statement;
      const shape = prepared.get(name);
      statement.shape = shape;
      if (!shape) {
        if (prepared.has(name)) connection.close({ type: "S", name });
        if (name) prepared.set(name, undefined);
        connection.parse({ name, text });
      }
      connection.bind({ statement: name, values });
      if (!shape) connection.describe({ type: "P" });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const names = fields.map((field) => field.name);
    this.#current.shape = {
      names,
      readers: fields.map(({ dataTypeID }) =>
        pg.types.getTypeParser(dataTypeID, "text"),
      ),
      blank: Object.fromEntries(names.map((name) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { shape = NO_ROWS, rows } = this.#current;
    const row = { ...shape.blank };
    for (const [i, text] of fields.entries()) {
      if (text !== null)
        row[shape.names[i] as string] = shape.readers[i]?.(text);
    }
    rows.push(row);
  }

  /** `text` is such as `UPDATE 3`, `INSERT 0 3` or `BEGIN`. */
  handleCommandComplete({ text }: { text: string }): void {
    const { name, rows, shape = NO_ROWS, resolve } = this.#current;
    if (name) this.#prepared.set(name, shape);
    resolve({ rows, count: Number(text.slice(text.lastIndexOf(" "))) || 0 });
    this.#answered++;
  }

  /** Of a statement or of the connection. */
  handleError(error: Error & { code?: string }): void {
    const failed = this.#statements[this.#answered];
    if (failed && STALE.includes(error.code ?? ""))
      this.#prepared.set(failed.name, undefined);
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
