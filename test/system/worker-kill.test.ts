import assert from "node:assert/strict";
import { Client, Connection } from "@temporalio/client";
import { connect, disconnect } from "../../src/db/db.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { type Floor, openFloor, pickAll, startWave } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";

const WAVES = 10;

describe("one of two workers", function () {
  this.timeout(240_000);
  let stack: Stack;
  let floor: Floor;
  let connection: Connection;
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, WAVES);
    connection = await Connection.connect({ address: stack.temporalAddress });
  });
  after(async () => {
    await connection?.close();
    await disconnect();
    await stack?.close();
  });

  it("may be killed: the waves that it had complete with the other, without a 503", async () => {
    const waves = await Promise.all(
      floor.scanners.map(async (scanner) => {
        const wave = await startWave(floor, scanner);
        await pickAll(scanner, wave);
        return { scanner, wave };
      }),
    );
    await stack.addWorker();
    await stack.takeAway("Worker");
    // As the last scans: Temporal gives them to the worker that had the wave.
    const { workflow } = new Client({ connection });
    await Promise.all(waves.map(({ wave }) => workflow.getHandle(waveWorkflowId(wave.batch_id)).signal("scanned", [])));
    const answers = await Promise.all(
      waves.map(({ scanner, wave }) => scanner.caller.post("/api/picking/complete-batch", wave)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(WAVES).fill(200),
    );
  });
});
