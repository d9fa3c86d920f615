import assert from "node:assert/strict";
import { Client } from "@temporalio/client";
import { ApiConnection } from "../../src/platform/temporal/api-connection.js";

class OpenConnection extends ApiConnection {
  get storage() {
    return this.callContextStorage;
  }
}

describe("the API's connection to Temporal", () => {
  let connection: OpenConnection;
  let client: Client;
  let deadlines: unknown[];
  before(() => {
    connection = OpenConnection.lazy({
      address: process.env.TEST_TEMPORAL_ADDRESS,
      interceptors: [
        (options, nextCall) => {
          deadlines.push(options.deadline);
          return nextCall(options) as never;
        },
      ],
    }) as OpenConnection;
    client = new Client({ connection });
  });
  beforeEach(() => {
    deadlines = [];
  });
  after(() => connection.close());

  const ask = () => client.workflowService.describeNamespace({ namespace: "default" });

  it("keeps the deadline of a call that is under way when another one ends", async () => {
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const [one, other] = [Date.now() + 30_000, Date.now() + 60_000];
    const begunFirst = client.withDeadline(one, () => waiting.then(ask));
    await client.withDeadline(other, ask);
    goOn();
    await begunFirst;
    assert.deepEqual(deadlines, [other, one]);
  });

  it("has Node follow promises only while a call is under way", async () => {
    connection.storage.enterWith({});
    await Promise.all([client.withDeadline(Date.now() + 60_000, ask), ask()]);
    assert.equal(connection.storage.getStore(), undefined, "the storage is not disabled");
  });
});
