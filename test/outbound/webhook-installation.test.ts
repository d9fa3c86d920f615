import assert from "node:assert/strict";
import { openService } from "../support/service.js";
import { subscribe, WEBHOOKS } from "../support/webhooks.js";

describe("webhook subscriptions of an installation", () => {
  it("may go to plain http and inside where the installation says so", async () => {
    const own = await openService({
      env: { SERVICE_ALLOW_HTTP_WEBHOOKS: "true", SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true" },
    });
    try {
      const delivery_url = "http://127.0.0.1:9/hooks";
      const made = await subscribe(own.admin, { delivery_url });
      assert.equal(made.delivery_url, delivery_url);
    } finally {
      await own.close();
    }
  });

  it("are written 60 times a minute by one user, where users are limited at all", async () => {
    const limited = await openService({ env: { RATE_LIMIT_PER_MINUTE: "1000" } });
    try {
      const { subscription_id } = await subscribe(limited.admin);
      const write = () => limited.admin.patch(`${WEBHOOKS}/${subscription_id}`, { status: "paused" });
      const answers = await Promise.all(Array.from({ length: 60 }, write));
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual([...new Set(statuses.slice(0, 59)), statuses[59]], [200, 429]);
      assert.equal((await limited.admin.get(`${WEBHOOKS}/${subscription_id}`)).status, 200);
      const other = await limited.user({ role: "ADMIN" });
      assert.equal((await other.patch(`${WEBHOOKS}/${subscription_id}`, { status: "active" })).status, 200);
    } finally {
      await limited.close();
    }
  });
});
