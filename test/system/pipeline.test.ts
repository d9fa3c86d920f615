import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import pg from "pg";
import { Pipeline, type QueryTarget } from "../../src/platform/db/pipeline.js";

const root = new URL("../../../", import.meta.url);
const json = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** A pipeline is a query class of its own, which writes on pg's connection and is called by its client. */
describe("what a pipeline uses of pg beyond its documentation", () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client(process.env.TEST_DATABASE_URL);
    await client.connect();
  });
  after(() => client.end());

  for (const name of ["pg", "pg-protocol"])
    it(`is of the one version of ${name} that package.json names`, () => {
      const wanted = json("package.json").dependencies[name];
      assert.match(wanted, /^\d+\.\d+\.\d+$/);
      assert.equal(json(`node_modules/${name}/package.json`).version, wanted);
    });

  /** The names of the functions that `object` is asked for, or that `object` asks for, while `work` runs. */
  const spyOn = <T extends object>(object: T, called: Set<string>): T =>
    new Proxy(object, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        called.add(String(name));
        return value.bind(target);
      },
    });

  /** Sends statements; gives their answers, what was called meanwhile, and how many chunks were written. */
  async function send(...statements: [text: string, values?: unknown[]][]) {
    const pipeline = new Pipeline();
    const byClient = new Set<string>();
    let chunks = 0;
    const submit = pipeline.submit.bind(pipeline);
    pipeline.submit = ({ stream }) => {
      const write = (messages: Buffer) => {
        chunks++;
        stream.write(messages);
      };
      submit({ stream: { write } });
    };
    const answers = Promise.allSettled(statements.map(([text, values]) => pipeline.ask(text, values)));
    await new Promise((done) => (client as QueryTarget).query(spyOn(pipeline, byClient), undefined, done));
    return { answers: await answers, byClient: [...byClient].sort(), chunks };
  }

  it("is what the connection offers, and what the client calls for answers", async () => {
    const { answers, byClient, chunks } = await send(
      ["select 1 as one where $1::int = 2", [1]],
      ["select $1::int as n", [3]],
    );
    assert.deepEqual(answers, [
      { status: "fulfilled", value: { rows: [], count: 0, columns: ["one"] } },
      { status: "fulfilled", value: { rows: [{ n: 3 }], count: 1, columns: ["n"] } },
    ]);
    assert.equal(chunks, 1);
    assert.deepEqual(byClient, [
      ...["handleCommandComplete", "handleDataRow", "handleReadyForQuery", "handleRowDescription", "submit"],
    ]);
  });

  it("is what the client calls when a statement fails, and none behind it runs", async () => {
    const { answers, byClient } = await send(["select 1 / $1::int", [0]], ["select 4 as four"]);
    for (const answer of answers) assert.equal(answer.status === "rejected" && answer.reason.code, "22012");
    assert.deepEqual(byClient, ["handleError", "submit"]);
  });
});
