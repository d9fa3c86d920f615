import pg from "pg";

/** Of pg's connection, what concerns a statement. */
interface Connection {
  describe(what: object): void;
}

/** What pg knows of a result's columns once Postgres has described them. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** Of pg's query, what those derived from it build on. */
interface PgQuery {
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const PgQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
) => PgQuery;

/** What a connection knows by now. */
interface Knowledge {
  columns: Map<string, Columns>;
  /** The connection itself, but for the question what a result looks like. */
  undescribed: Connection;
}
const known = new WeakMap<Connection, Knowledge>();

function knowledgeOf(connection: Connection): Knowledge {
  let knowledge = known.get(connection);
  if (!knowledge) {
    const undescribed = Object.create(connection, {
      describe: { value: () => {} },
    });
    knowledge = { columns: new Map(), undescribed };
    known.set(connection, knowledge);
  }
  return knowledge;
}

/**
 * A prepared statement whose columns are described once per connection. pg asks for them each time it runs, and makes its parsers
 * anew, which is a tenth of what a small statement costs us. They cannot change: Postgres refuses to run it then.
 */
class Statement extends PgQuery {
  constructor(name: string, text: string, values: unknown[]) {
    super(text, values);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    const { columns, undescribed } = knowledgeOf(connection);
    const mine = columns.get(this.name);
    if (mine) {
      Object.assign(this._result, mine);
      this._accumulateRows = true;
    }
    super.prepare(mine ? undescribed : connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection) {
    super.handleCommandComplete(message, connection);
    const { columns } = knowledgeOf(connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!columns.has(this.name))
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** A pool or a connection of pg, as it takes a query of one's own. */
interface Runner {
  query(
    statement: Statement,
    values: undefined,
    done: (error: Error | null, result: pg.QueryResult) => void,
  ): void;
}

/** Runs a text as a prepared statement of that name. */
export async function execute(
  on: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      (on as Runner).query(
        new Statement(name, text, values),
        undefined,
        (error, result) => (error ? reject(error) : resolve(result)),
      );
    });
  } catch (error) {
    // Where it was asked, not where the answer was read.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
