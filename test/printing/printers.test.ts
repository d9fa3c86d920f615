import assert from "node:assert/strict";
import { resealSecrets } from "../../activities/maintenance/encryption-key.js";
import { unseal } from "../../src/auth/sealed.js";
import { apiKeyOwner } from "../../src/printing/secrets.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { PRINTER_ENV } from "../support/printers.js";
import { insertPrinter, insertPrintJob, PRINTERS, printerBody } from "../support/printing-requests.js";
import { openService, type TestService } from "../support/service.js";

describe("printers", () => {
  let service: TestService;
  let admin: Caller;
  let warehouse_id: number;
  before(async () => {
    service = await openService({ env: PRINTER_ENV });
    admin = service.admin;
  });
  after(() => service.close());
  beforeEach(async () => {
    warehouse_id = await fixtures.warehouse();
  });

  const raw = (fields: object = {}) =>
    printerBody(warehouse_id, { kind: "raw9100", address: "127.0.0.1:9100", api_key: undefined, ...fields });
  const made = (body: object) => admin.ok("POST", PRINTERS, body);
  const codeOf = async (method: "POST" | "PUT", path: string, body: object) => {
    const { status, code } = await admin.call(method, path, body);
    return [status, code];
  };
  const refused = (fields: object) => codeOf("POST", PRINTERS, raw(fields));

  it("are set up, changed and deleted by an ADMIN, and audited, without their keys", async () => {
    const { printer_id, warehouse_code, updated_at, ...fields } = await made(
      raw({ printer_name: "Bench 1", station: "1", documents: ["bin_label", "bin_label"] }),
    );
    assert.ok(warehouse_code && updated_at);
    assert.deepEqual(fields, {
      ...{ warehouse_id, printer_name: "Bench 1", kind: "raw9100", address: "127.0.0.1:9100", format: "zpl" },
      ...{ size: "100x50", dpi: 203, station: "1", documents: ["bin_label"], is_active: true },
    });
    const path = `${PRINTERS}/${printer_id}`;
    const changed = await admin.ok("PUT", path, { station: null, is_active: false, address: "127.0.0.2" });
    assert.deepEqual([changed.station, changed.is_active, changed.address], [null, false, "127.0.0.2"]);
    const { printers } = await admin.ok("GET", `${PRINTERS}?warehouse_id=${warehouse_id}`);
    assert.deepEqual(printers, [changed]);
    await admin.ok("DELETE", path);
    assert.equal((await admin.put(path, { station: null })).code, "printer_not_found");
    assert.equal((await admin.delete(path)).code, "printer_not_found");
    const audits = await db.rows<{ action_type: string }>(
      "select action_type from audit_log where entity_type = 'PRINTER' and entity_id = $1 order by log_id",
      [printer_id],
    );
    assert.deepEqual(
      audits.map(({ action_type }) => action_type),
      ["CREATE", "UPDATE", "DELETE"],
    );
  });

  it("of a service keep its API key sealed, and do not send it to another service", async () => {
    const body = printerBody(warehouse_id);
    const { printer_id, ...shown } = await made(body);
    assert.ok(!JSON.stringify(shown).includes(body.api_key));
    const path = `${PRINTERS}/${printer_id}`;
    const keyOf = async () => {
      const sealed = await db.value<string>("select api_key_sealed from printers where printer_id = $1", [printer_id]);
      return unseal(sealed as string, apiKeyOwner(printer_id), service.config);
    };
    assert.equal(await keyOf(), body.api_key);
    await admin.ok("PUT", path, { address: "https://8.8.8.8/printers/71" });
    const elsewhere = { address: "https://9.9.9.9/printers/71" };
    assert.deepEqual(await codeOf("PUT", path, elsewhere), [400, "printer_api_key"]);
    await admin.ok("PUT", path, { ...elsewhere, api_key: "key-2" });
    assert.equal(await keyOf(), "key-2");
    const keys = {
      encryptionKey: Buffer.alloc(32, 8).toString("base64"),
      encryptionKeysPrevious: [service.config.encryptionKey],
    };
    const { printer_keys, unreadable } = await resealSecrets(keys);
    assert.deepEqual([printer_keys, unreadable], [1, []]);
    const sealed = await db.value<string>("select api_key_sealed from printers where printer_id = $1", [printer_id]);
    assert.equal(unseal(sealed as string, apiKeyOwner(printer_id), { ...keys, encryptionKeysPrevious: [] }), "key-2");
    const audits = await db.value<string>("select string_agg(details::text, '') from audit_log");
    assert.doesNotMatch(`${audits}`, /key-[12]/);
  });

  it("need a key where they are behind a service, and only there", async () => {
    const ofService = printerBody(warehouse_id, { api_key: undefined });
    assert.deepEqual(await codeOf("POST", PRINTERS, ofService), [400, "printer_api_key"]);
    assert.deepEqual(await refused({ api_key: "key-1" }), [400, "printer_api_key"]);
    const { printer_id } = await made(raw());
    assert.deepEqual(await codeOf("PUT", `${PRINTERS}/${printer_id}`, { api_key: "x" }), [400, "printer_api_key"]);
  });

  it("are refused at addresses that are none, or where no printer may be", async () => {
    assert.deepEqual(await refused({ address: "http://127.0.0.1" }), [400, "bad_printer_address"]);
    for (const address of ["10.0.0.1", "169.254.169.254:80", "8.8.8.8"])
      assert.deepEqual(await refused({ address }), [400, "printer_address_refused"], address);
    const { printer_id } = await made(raw());
    const path = `${PRINTERS}/${printer_id}`;
    assert.deepEqual(await codeOf("PUT", path, { address: "10.0.0.1" }), [400, "printer_address_refused"]);
    assert.deepEqual(await codeOf("PUT", path, { address: "/" }), [400, "bad_printer_address"]);
  });

  it("are refused where they cannot print what they are to, in no warehouse, and under a taken name", async () => {
    assert.deepEqual(await refused({ size: "A4" }), [400, "size_not_on_roll"]);
    assert.deepEqual(await refused({ documents: ["packing_slip"] }), [400, "document_not_on_size"]);
    assert.deepEqual(await refused({ warehouse_id: 2_000_000_000 }), [400, "unknown_warehouse"]);
    const [{ printer_name }, { printer_id }] = [await made(raw()), await made(raw())];
    assert.deepEqual(await refused({ printer_name }), [409, "printer_exists"]);
    const path = `${PRINTERS}/${printer_id}`;
    assert.deepEqual(await codeOf("PUT", path, { printer_name }), [409, "printer_exists"]);
    assert.deepEqual(await codeOf("PUT", path, { size: "A4" }), [400, "size_not_on_roll"]);
    assert.deepEqual(await codeOf("PUT", path, { documents: ["packing_slip"] }), [400, "document_not_on_size"]);
    await made(raw({ size: "4x6in", documents: ["bin_label", "packing_slip"] }));
    assert.equal((await admin.post(`${PRINTERS}/2000000000/test`)).code, "printer_not_found");
  });

  it("can be chosen by users of their warehouse, while they are in use", async () => {
    const user = await service.user({ warehouse_ids: [warehouse_id] });
    const { printer_id } = await made(raw({ documents: ["bin_label"] }));
    const idle = await made(raw());
    await admin.ok("PUT", `${PRINTERS}/${idle.printer_id}`, { is_active: false });
    const elsewhere = await fixtures.warehouse();
    await insertPrinter(elsewhere);
    const { printers } = await user.ok("GET", "/api/printing/printers");
    assert.deepEqual(
      printers.map((one: { printer_id: number }) => one.printer_id),
      [printer_id],
    );
    assert.equal((await user.get(`/api/printing/printers?warehouse_id=${elsewhere}`)).code, "warehouse_denied");
  });

  it("take their jobs along when they are deleted", async () => {
    const printer_id = await insertPrinter(warehouse_id);
    await insertPrintJob(printer_id);
    await admin.ok("DELETE", `${PRINTERS}/${printer_id}`);
    assert.equal(await db.value("select count(*)::int from print_jobs where printer_id = $1", [printer_id]), 0);
  });
});
