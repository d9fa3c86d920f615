import assert from "node:assert/strict";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

describe("the name of a deleted user", () => {
  const service = testService();

  const create = (username: string) =>
    service.admin.post("/api/admin/users", { username, password: "battery staple 2", full_name: "Ann", role: "ADMIN" });

  it("is not given again: what that user did is found by it", async () => {
    const username = `ann-${unique()}`.toLowerCase();
    const { body } = await create(username);
    await service.admin.ok("DELETE", `/api/admin/users/${body.user_id}`);
    const again = await create(username);
    assert.deepEqual([again.status, again.code], [400, "username_taken"]);
    assert.equal((await create(`${username}-2`)).status, 201);
  });
});
