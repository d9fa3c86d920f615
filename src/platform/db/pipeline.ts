import pg from "pg";
import { prepareValue } from "pg/lib/utils.js";
import { serialize } from "pg-protocol";
import type { DataRow } from "./client.js";
import type { Column } from "./json-rows.js";
import { type Numbered, numbered, placed, type Values } from "./parameters.js";
import { pipelineSpan } from "./pipeline-span.js";

/** The part of pg's connection that is used here. */
interface Connection {
  stream: { write(messages: Buffer): void };
}

type Row = Record<string, unknown>;

/** The columns of a statement's rows. */
interface Shape {
  columns: Column[];
  /** A row of nulls to copy: faster than adding columns one by one. */
  blank: Row;
}

const NO_ROWS: Shape = { columns: [], blank: {} };

/** Takes the rows of a statement in place of its answer. */
export interface RowSink {
  /** A function that takes a row with these columns. */
  reader(columns: Column[]): (row: DataRow) => void;
}

/** The result of a statement: its rows, unless a sink took them, their columns, and how many rows it touched. */
export interface Answer {
  rows: unknown[];
  count: number;
  columns: string[];
}

/** A statement that was sent. */
class Statement {
  /** Undefined until Postgres has described it, which it does only for statements that return rows. */
  shape: Shape | undefined;
  readonly rows: Row[] = [];
  take: ((row: DataRow) => void) | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    readonly values: unknown[],
    readonly sink: RowSink | undefined,
    readonly resolve: (answer: Answer) => void,
    readonly reject: (error: Error) => void,
  ) {}
}

// Texts are constants of the code, hence few; statements that are planned for their values have no name.
const named = new Map<string, Numbered & { name: string }>();
function namedOf(text: string, values: Values): Numbered & { name: string } {
  const known = named.get(text);
  if (known) return known;
  const statement = { name: `q${named.size}`, ...numbered(text, values) };
  named.set(text, statement);
  return statement;
}

/** The statements that a connection has prepared, by name; undefined for one that may exist or not. */
type Prepared = Map<string, Shape | undefined>;
const preparedOn = new WeakMap<Connection, Prepared>();

/** SQLSTATEs of a prepared statement that no longer exists, or whose table has changed. */
const STALE = ["26000", "0A000"];

/**
 * Statements that are sent to Postgres together and run in their order. Their answers are read together too: sending
 * and reading one by one is much of the cost of a small statement. With the pipeline of pg 8.23, which describes each
 * anew and ends it with a sync, the service takes 7 to 15 % more processor time for lookup, receive and confirm
 * (`npm run bench -- --against`). Where one fails, those after it are not run, and fail with it.
 */
export class Pipeline {
  /** Set by pg's pool: called when the pipeline is done. */
  callback?: (error: Error | null) => void;
  readonly #statements: Statement[] = [];
  #answered = 0;
  #prepared: Prepared = new Map();
  readonly #span = pipelineSpan();

  /**
   * Adds a statement that Postgres parses, plans and describes once per connection, whatever the values
   * (`plan_cache_mode = force_generic_plan`). By default it would plan many of them for each call, which takes longer
   * than running them.
   */
  ask(text: string, values: Values = [], sink?: RowSink): Promise<Answer> {
    const statement = namedOf(text, values);
    return this.#add(statement.name, statement, values, sink);
  }

  /** Adds a statement that is planned for its values. */
  askUnprepared(text: string, values: Values, sink?: RowSink): Promise<Answer> {
    return this.#add("", numbered(text, values), values, sink);
  }

  #add(name: string, statement: Numbered, values: Values, sink?: RowSink): Promise<Answer> {
    const written = placed(statement, values).map((value) => prepareValue(value));
    return new Promise((resolve, reject) => {
      this.#statements.push(new Statement(name, statement.text, written, sink, resolve, reject));
    });
  }

  /** Rejects all statements that were not answered yet. */
  fail(error: Error): void {
    for (const { reject } of this.#statements.slice(this.#answered)) reject(error);
  }

  // Called by pg.

  submit(connection: Connection): void {
    this.#span?.begin(this.#statements);
    const prepared = preparedOn.get(connection) ?? new Map();
    preparedOn.set(connection, prepared);
    this.#prepared = prepared;
    const messages: Buffer[] = [];
    for (const statement of this.#statements) {
      const { name, text, values } = statement;
      const shape = prepared.get(name);
      statement.shape = shape;
      if (!shape) {
        if (prepared.has(name)) messages.push(serialize.close({ type: "S", name }));
        if (name) prepared.set(name, undefined);
        messages.push(serialize.parse({ name, text }));
      }
      messages.push(serialize.bind({ statement: name, values }));
      if (!shape) messages.push(serialize.describe({ type: "P" }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    // As one chunk: each chunk of a stream costs as much as writing some messages.
    connection.stream.write(Buffer.concat(messages));
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#current.shape = {
      columns: fields.map(({ name, dataTypeID }) => ({
        ...{ name, type: dataTypeID },
        read: pg.types.getTypeParser(dataTypeID, "text"),
      })),
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow(sent: DataRow): void {
    const statement = this.#current;
    const { columns, blank } = statement.shape ?? NO_ROWS;
    if (statement.sink) {
      statement.take ??= statement.sink.reader(columns);
      statement.take(sent);
      return;
    }
    const { fields } = sent;
    const row = { ...blank };
    for (let i = 0; i < fields.length; i++) {
      const text = fields[i] as string | null;
      const { name, read } = columns[i] as Column;
      if (text !== null) row[name] = read(text);
    }
    statement.rows.push(row);
  }

  /** `text` is such as `UPDATE 3`, `INSERT 0 3` or `BEGIN`. */
  handleCommandComplete({ text }: { text: string }): void {
    const { name, rows, shape = NO_ROWS, resolve } = this.#current;
    if (name) this.#prepared.set(name, shape);
    resolve({
      rows,
      count: Number(text.slice(text.lastIndexOf(" "))) || 0,
      columns: shape.columns.map(({ name }) => name),
    });
    this.#answered++;
  }

  /** Of a statement or of the connection. */
  handleError(error: Error & { code?: string }): void {
    const failed = this.#statements[this.#answered];
    if (failed && STALE.includes(error.code ?? "")) this.#prepared.set(failed.name, undefined);
    this.#span?.end(error);
    this.fail(error);
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.#span?.end();
    this.callback?.(null);
  }

  get #current(): Statement {
    return this.#statements[this.#answered] as Statement;
  }
}

/** A pool or a connection of pg: they take custom query classes, which their types leave out. */
export interface QueryTarget {
  query(pipeline: Pipeline, values?: undefined, done?: (error: Error | null) => void): void;
}

/**
 * Sends the statements of one turn of the event loop together, as one pipeline over one connection, and the next ones
 * when those are answered.
 */
export class PipelineBatcher {
  #next: Pipeline | undefined;
  #sending: Promise<void> | undefined;

  constructor(private readonly client: QueryTarget) {}

  ask(text: string, values?: Values): Promise<Answer> {
    if (!this.#next) {
      this.#next = new Pipeline();
      if (!this.#sending) process.nextTick(() => this.#send());
    }
    return this.#next.ask(text, values);
  }

  /** Sends the waiting statements, and settles when all are answered. */
  async settled(): Promise<void> {
    this.#send();
    while (this.#sending) await this.#sending;
  }

  #send(): void {
    const pipeline = this.#next;
    if (this.#sending || !pipeline) return;
    this.#next = undefined;
    this.#sending = new Promise((resolve) => {
      this.client.query(pipeline, undefined, (error) => {
        if (error) pipeline.fail(error);
        this.#sending = undefined;
        this.#send();
        resolve();
      });
    });
  }
}
