import assert from "node:assert/strict";
import { resealSecrets } from "../../activities/maintenance/encryption-key.js";
import { unseal } from "../../src/auth/sealed.js";
import { configOwner } from "../../src/carriers/secrets.js";
import type { Caller } from "../support/caller.js";
import { accountBody, CARRIERS, closedParcel, insertAccount, insertLabel, RULES } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";

describe("carrier accounts", () => {
  let service: TestService;
  let admin: Caller;
  let warehouse_id: number;
  before(async () => {
    service = await openService();
    admin = service.admin;
  });
  after(() => service.close());
  beforeEach(async () => {
    warehouse_id = await fixtures.warehouse();
  });

  const made = (fields: object = {}) => admin.ok("POST", CARRIERS, accountBody(warehouse_id, fields));
  const refused = async (method: "POST" | "PUT", path: string, body: object) => {
    const { status, code } = await admin.call(method, path, body);
    return [status, code];
  };
  const configOf = async (account_id: number, keys = service.config) => {
    const sealed = await db.value<string>("select config_sealed from carrier_accounts where account_id = $1", [
      account_id,
    ]);
    return JSON.parse(unseal(sealed as string, configOwner(account_id), keys)) as Record<string, string>;
  };

  it("are set up, changed and deleted by an ADMIN, and audited, without their credentials", async () => {
    const account = await made({ account_name: "Main", label_format: "zpl" });
    const { account_id, ship_from } = account;
    assert.deepEqual([account.carrier, account.label_format, account.check_address], ["easypost", "zpl", true]);
    assert.deepEqual([ship_from.line1, ship_from.line2], ["417 Montgomery Street", null]);
    assert.doesNotMatch(JSON.stringify(account), /EZTK/);
    const path = `${CARRIERS}/${account_id}`;
    const nowhere = await admin.call("PUT", path, { ship_from: { ...ship_from, country: "UN" } });
    assert.equal(nowhere.status, 400, "UN is the code of no country");
    const changed = await admin.ok("PUT", path, {
      is_active: false,
      check_address: false,
      config: { api_key: "EZTK-2" },
    });
    assert.deepEqual([changed.is_active, changed.check_address], [false, false]);
    assert.equal((await configOf(account_id)).api_key, "EZTK-2");
    const { carrier_accounts } = await admin.ok("GET", `${CARRIERS}?warehouse_id=${warehouse_id}`);
    assert.deepEqual(carrier_accounts, [changed]);
    await admin.ok("DELETE", path);
    assert.equal((await admin.put(path, { is_active: true })).code, "carrier_account_not_found");
    assert.equal((await admin.delete(path)).code, "carrier_account_not_found");
    assert.equal((await admin.post(`${path}/test`)).code, "carrier_account_not_found");
    const audits = await db.rows<{ action_type: string; details: object }>(
      `select action_type, details from audit_log
       where entity_type = 'CARRIER_ACCOUNT' and entity_id = $1 order by log_id`,
      [account_id],
    );
    assert.deepEqual(
      audits.map(({ action_type }) => action_type),
      ["CREATE", "UPDATE", "DELETE"],
    );
    assert.doesNotMatch(JSON.stringify(audits), /EZTK/);
  });

  it("are refused with a name that is taken, an unknown carrier, fields that are missing or unknown", async () => {
    const { account_id } = await made({ account_name: "Main" });
    const { account_id: other } = await made({ account_name: "Other" });
    const body = (fields: object) => accountBody(warehouse_id, fields);
    assert.deepEqual(await refused("POST", CARRIERS, body({ account_name: "Main" })), [409, "carrier_account_exists"]);
    const path = `${CARRIERS}/${other}`;
    assert.deepEqual(await refused("PUT", path, { account_name: "Main" }), [409, "carrier_account_exists"]);
    assert.deepEqual(await refused("POST", CARRIERS, body({ carrier: "pigeon" })), [400, "unknown_carrier"]);
    assert.deepEqual(await refused("POST", CARRIERS, body({ warehouse_id: 999_999 })), [400, "unknown_warehouse"]);
    const missing = await admin.post(CARRIERS, body({ config: {} }));
    assert.deepEqual([missing.code, missing.body.missing], ["carrier_not_configured", ["api_key"]]);
    const invalid = await admin.put(`${CARRIERS}/${account_id}`, { config: { colour: "red" } });
    assert.deepEqual([invalid.code, invalid.body.invalid], ["carrier_not_configured", ["colour"]]);
    assert.equal(
      await db.value("select count(*)::int from carrier_accounts where warehouse_id = $1", [warehouse_id]),
      2,
    );
  });

  it("do not send their secrets to another server", async () => {
    const { account_id } = await made();
    const path = `${CARRIERS}/${account_id}`;
    const elsewhere = { api_url: "https://carrier.example.com" };
    assert.deepEqual(await refused("PUT", path, { config: elsewhere }), [409, "carrier_secrets_needed"]);
    await admin.ok("PUT", path, { config: { api_url: "https://api.easypost.com/" } });
    await admin.ok("PUT", path, { config: { ...elsewhere, api_key: "EZTK-3" } });
    assert.deepEqual(await configOf(account_id), { ...elsewhere, api_key: "EZTK-3" });
  });

  it("are sealed under another key with all other secrets", async () => {
    const { account_id } = await made();
    const keys = {
      encryptionKey: Buffer.alloc(32, 8).toString("base64"),
      encryptionKeysPrevious: [service.config.encryptionKey],
    };
    const { carrier_accounts, unreadable } = await resealSecrets(keys);
    assert.ok(carrier_accounts > 0);
    assert.deepEqual(unreadable, []);
    const alone = { ...service.config, ...keys, encryptionKeysPrevious: [] };
    assert.equal((await configOf(account_id, alone)).api_key, "EZTK-1");
  });

  it("that labels were bought with stay", async () => {
    const { item_id } = await fixtures.item();
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const account_id = await insertAccount(warehouse_id);
    await insertLabel(await closedParcel(so_id), account_id);
    const { status, code } = await admin.delete(`${CARRIERS}/${account_id}`);
    assert.deepEqual([status, code], [409, "carrier_account_used"]);
  });

  it("are with carriers that say what they have to be told and what they can do", async () => {
    const { carriers } = await admin.ok("GET", `${CARRIERS}/kinds`);
    const [easypost] = carriers.filter(({ carrier }: { carrier: string }) => carrier === "easypost");
    assert.deepEqual(easypost.config_schema.api_key.required, true);
    assert.ok(easypost.operations.includes("void") && easypost.services.length > 0);
    const [manual] = carriers.filter(({ carrier }: { carrier: string }) => carrier === "manual");
    assert.deepEqual([manual.operations, manual.label_formats], [[], []]);
  });

  it("have rules, which an ADMIN writes", async () => {
    const rule = {
      warehouse_id,
      priority: 10,
      rule_name: "Light",
      countries: ["DE"],
      max_weight_lbs: 2.5,
      hazardous: false,
    };
    const account_id = await insertAccount(warehouse_id);
    const written = await admin.ok("POST", RULES, { ...rule, account_id, within_days: 2 });
    assert.deepEqual(
      [written.max_weight_lbs, written.countries, written.account_id, written.hazardous],
      [2.5, ["DE"], account_id, false],
    );
    const path = `${RULES}/${written.rule_id}`;
    const changed = await admin.ok("PUT", path, { min_weight_lbs: 1, is_active: false });
    const { carrier_rules } = await admin.ok("GET", `${RULES}?warehouse_id=${warehouse_id}`);
    assert.deepEqual(carrier_rules, [changed]);
    assert.deepEqual(await refused("PUT", path, { min_weight_lbs: 2.5 }), [400, "carrier_rule_weights"]);
    assert.deepEqual(await refused("POST", RULES, { ...rule, max_weight_lbs: 0 }), [400, "carrier_rule_weights"]);
    const foreign = await insertAccount(await fixtures.warehouse());
    assert.deepEqual(await refused("POST", RULES, { ...rule, account_id: foreign }), [
      404,
      "carrier_account_not_found",
    ]);
    assert.deepEqual(await refused("PUT", path, { account_id: foreign }), [404, "carrier_account_not_found"]);
    assert.deepEqual(await refused("POST", RULES, { ...rule, warehouse_id: 999_999 }), [400, "unknown_warehouse"]);
    await admin.ok("DELETE", path);
    assert.equal((await admin.put(path, { priority: 1 })).code, "carrier_rule_not_found");
    assert.equal((await admin.delete(path)).code, "carrier_rule_not_found");
  });
});
