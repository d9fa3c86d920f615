import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { resealSecrets } from "../../activities/maintenance/encryption-key.js";
import { keyId, unseal } from "../../src/auth/sealed.js";
import { notificationSecretOwner, urlOwner } from "../../src/outbound/secrets.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { destination } from "../support/notifications.js";
import { testService } from "../support/service.js";
import { publicUrl } from "../support/webhooks.js";

describe("the encryption key of notification destinations", () => {
  const service = testService();

  it("is changed: URLs and secrets are sealed anew, once", async () => {
    const url = publicUrl();
    const warehouse_id = await warehouse();
    const { webhook_id } = await destination(service.admin, warehouse_id, { url, secret: "a-long-secret" });
    await destination(service.admin, warehouse_id);
    const encryptionKey = randomBytes(32).toString("base64");
    const keys = { encryptionKey, encryptionKeysPrevious: [service.config.encryptionKey] };
    const { notification_urls, unreadable } = await resealSecrets(keys);
    assert.deepEqual([notification_urls, unreadable], [3, []]);
    const row = (await db.row<{ url_sealed: string; secret_sealed: string }>(
      "select url_sealed, secret_sealed from notification_webhooks where webhook_id = $1",
      [webhook_id],
    )) as { url_sealed: string; secret_sealed: string };
    assert.ok(row.url_sealed.startsWith(`v1.${keyId(encryptionKey)}.`));
    const now = { encryptionKey, encryptionKeysPrevious: [] };
    assert.equal(unseal(row.url_sealed, urlOwner(webhook_id), now), url);
    assert.equal(unseal(row.secret_sealed, notificationSecretOwner(webhook_id), now), "a-long-secret");
    assert.equal((await resealSecrets(keys)).notification_urls, 0);
  });
});
