import assert from "node:assert/strict";
import { operations } from "../support/operations.js";
import { send } from "../support/send.js";
import { testService } from "../support/service.js";

describe("the head of a request", () => {
  const service = testService();

  it("is refused where it is larger than the document of the interface says", async () => {
    const answer = await send(service.url, {
      ...{ method: "GET", path: "/api/health" },
      headers: { "x-long": "x".repeat(16 * 1024) },
    });
    assert.deepEqual([answer.status, answer.body], [431, ""]);
    for (const { name, operation } of operations) assert.ok(operation.responses[431], name);
  });
});
