import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { resealSecrets } from "../../activities/maintenance/encryption-key.js";
import { type EncryptionKeys, keyId } from "../../src/auth/sealed.js";
import { storedConfig } from "../../src/connectors/stored-config.js";
import { connectorWarehouse, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";

describe("the encryption key of connector credentials", () => {
  const service = testService();
  const encryptionKey = randomBytes(32).toString("base64");
  let keys: EncryptionKeys;
  before(async () => {
    keys = { encryptionKey, encryptionKeysPrevious: [service.config.encryptionKey] };
  });

  it("is changed: all are sealed anew, once, in more than one batch", async () => {
    const config = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`field:${i}`, `value ${i}`]));
    const [one, other] = [await connectorWarehouse(), await connectorWarehouse()];
    await storeConfig("example", one, config, service.config);
    await storeConfig("example-2", one, { api_key: "k" }, service.config);
    await storeConfig("example", other, config, service.config);
    const { connector_credentials, unreadable } = await resealSecrets(keys);
    assert.deepEqual([connector_credentials, unreadable], [141, []]);
    const now = { encryptionKey, encryptionKeysPrevious: [] };
    assert.deepEqual(await storedConfig("example", one, now), config);
    assert.deepEqual(await storedConfig("example", other, now), config);
    assert.deepEqual(await storedConfig("example-2", one, now), { api_key: "k" });
    const rows = await db.rows(
      "select details from audit_log where action_type = 'ENCRYPTION_KEY_ROTATE' order by log_id",
    );
    const key_id = keyId(encryptionKey);
    assert.deepEqual(rows, [
      { details: { key_id, connector_credentials: 100 } },
      { details: { key_id, connector_credentials: 41 } },
    ]);
    assert.equal((await resealSecrets(keys)).connector_credentials, 0);
  });

  it("leaves what it cannot read, and names the field", async () => {
    const warehouse_id = await connectorWarehouse();
    const stranger = { encryptionKey: randomBytes(32).toString("base64"), encryptionKeysPrevious: [] };
    await storeConfig("example", warehouse_id, { api_key: "k" }, stranger);
    const { unreadable } = await resealSecrets(keys);
    assert.equal(unreadable.length, 1);
    assert.match(`${unreadable}`, new RegExp(`^connector_credential:example:${warehouse_id}:api_key is sealed under`));
  });
});
