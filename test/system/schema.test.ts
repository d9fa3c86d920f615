import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { schemaText } from "../support/schema/text.js";
import { createDatabase, databaseUrl, onServer } from "../support/servers.js";

const FILE = new URL("../../../migrations/schema.sql", import.meta.url);

/** `npm run schema` runs this file, too, and then it writes the schema. */
const write = process.env.WRITE_SCHEMA !== undefined;

describe("migrations/schema.sql", () => {
  const made: string[] = [];
  const another = async (make: (name: string) => Promise<void>) => {
    const name = `schema_${process.pid}_${made.length}`;
    await make(name);
    made.push(name);
    return name;
  };
  after(async () => {
    for (const name of made) await onServer(`drop database ${name}`);
  });

  async function on<T>(name: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(databaseUrl(name));
    await client.connect();
    return await ask(client).finally(() => client.end());
  }

  it("is the schema that the migrations make", async () => {
    const text = await on(await another(createDatabase), schemaText);
    if (write) writeFileSync(FILE, text);
    assert.equal(readFileSync(FILE, "utf8"), text, "Run: npm run schema");
  });

  it("is whole: an empty database that runs it has that schema", async () => {
    const text = readFileSync(FILE, "utf8");
    const name = await another((empty) => onServer(`create database ${empty} template template0`));
    await on(name, (client) => client.query(text));
    assert.equal(await on(name, schemaText), text);
  });
});
