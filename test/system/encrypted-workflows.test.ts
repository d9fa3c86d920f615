import assert from "node:assert/strict";
import type { Payload } from "@temporalio/common";
import proto from "@temporalio/proto";
import { closeTemporal, openTemporal, temporalClient } from "../../api/http/workflow-updates.js";
import type { Config } from "../../src/platform/config/config.js";
import { payloadCodec } from "../../src/system/payload-codec.js";
import { startWorker } from "../../workers/worker.js";
import type { Caller } from "../support/caller.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { stopWorker, testService } from "../support/service.js";
import { inThisThread } from "../support/workflow-thread.js";

const UI = "https://temporal.example.com:8233";
const DECODE = "/api/workflows/codec/decode";
const NEWER = Buffer.alloc(32, 9).toString("base64");

describe("encrypted workflows", () => {
  const service = testService({ env: { SERVICE_TEMPORAL_UI_URL: `${UI}/temporal` } });
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await warehouse();
  });
  afterEach(() => assertInvariants());

  const config = (changed: Partial<Config<"api">>): Config<"api"> => ({ ...service.config, ...changed });
  const off = () => config({ encryptWorkflows: false });
  const on = () => config({ encryptWorkflows: true });
  const rotated = () =>
    config({
      encryptWorkflows: true,
      encryptionKey: NEWER,
      encryptionKeysPrevious: [service.config.encryptionKey],
    });

  /** Runs API and worker under a configuration; nothing of a workflow is left in memory afterwards. */
  async function under<T>(now: Config<"api">, run: () => Promise<T>): Promise<T> {
    await closeTemporal();
    openTemporal(now);
    const worker = await startWorker(now as Config<"worker"> & Config<"api">, inThisThread);
    try {
      return await run();
    } finally {
      await stopWorker(worker);
    }
  }

  interface Wave {
    picker: Caller;
    batch_id: number;
    /** What no history may show. */
    names: string[];
    pick: () => Promise<void>;
  }

  async function begunWave(): Promise<Wave> {
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const { item_id, upc, sku } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const wave = { so_ids: [so_id], warehouse_id };
    const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", wave);
    const confirmed = {
      pick_task_id: first_pick.pick_task_id,
      ...{ scanned_barcode: upc, quantity_picked: 5 },
    };
    const pick = async () => void (await picker.ok("POST", "/api/picking/confirm", confirmed));
    return { picker, batch_id, names: [picker.username, sku], pick };
  }

  const completed = async ({ picker, batch_id, pick }: Wave) => {
    await pick();
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
  };

  const idOf = ({ batch_id }: Wave) => `pick-wave-${batch_id}`;

  /**
   * The history as Temporal stores it, without the search attributes, and without what the SDK notes itself of a local
   * activity (its name, number and times): both stay readable.
   */
  async function stored(workflowId: string) {
    const { history } = await temporalClient().workflowService.getWorkflowExecutionHistory({
      namespace: service.config.temporalNamespace,
      execution: { workflowId },
    });
    for (const event of history?.events ?? []) {
      delete event.markerRecordedEventAttributes?.details?.data;
      if (event.workflowExecutionStartedEventAttributes)
        event.workflowExecutionStartedEventAttributes.searchAttributes = null;
      if (event.upsertWorkflowSearchAttributesEventAttributes)
        event.upsertWorkflowSearchAttributesEventAttributes.searchAttributes = null;
    }
    const bytes = proto.temporal.api.history.v1.History.encode(history ?? {}).finish();
    return Buffer.from(bytes).toString("latin1");
  }

  const shows = (text: string, names: string[]) => names.filter((name) => text.includes(name));

  it("hold nothing that can be read, also where they refuse", async () => {
    const wave = await under(on(), async () => {
      const wave = await begunWave();
      const again = await wave.picker.post("/api/picking/wave-create", { so_ids: [2_000_000_000], warehouse_id });
      assert.equal(again.status, 400);
      const refused = await stored(again.headers.get("x-service-workflow-id") as string);
      assert.deepEqual(shows(refused, [wave.picker.username, "2000000000", again.body.error]), []);
      assert.match(refused, /binary\/encrypted/);
      await completed(wave);
      return wave;
    });
    const text = await stored(idOf(wave));
    assert.deepEqual(shows(text, [...wave.names, "binary/plain", "json/plain"]), []);
    assert.match(text, /binary\/encrypted/);
    const { typedSearchAttributes } = await temporalClient().workflow.getHandle(idOf(wave)).describe();
    assert.match(JSON.stringify(typedSearchAttributes), new RegExp(wave.picker.username));
  });

  it("go on where it is switched on, after a rotation, and where it is switched off", async () => {
    const plain = await under(off(), begunWave);
    assert.deepEqual(shows(await stored(idOf(plain)), plain.names.slice(0, 1)), plain.names.slice(0, 1));
    const [sealed, other] = await under(on(), async () => {
      await completed(plain);
      return [await begunWave(), await begunWave()] as const;
    });
    await under(rotated(), () => completed(sealed));
    await under(off(), () => completed(other));
    for (const wave of [plain, sealed, other]) {
      const { status } = await temporalClient().workflow.getHandle(idOf(wave)).describe();
      assert.equal(status.name, "COMPLETED");
    }
  });

  it("cannot be read under an unknown key, nor when they were altered", async () => {
    const payload: Payload = { metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from('"bin A-1"') };
    const [sealed] = await payloadCodec(on()).encode([payload]);
    assert.ok(sealed?.data);
    const [read] = await payloadCodec(rotated()).decode([sealed]);
    assert.equal(Buffer.from(read?.data ?? []).toString(), '"bin A-1"');
    const [again] = await payloadCodec(on()).encode([payload]);
    assert.notDeepEqual(again?.data, sealed.data);
    const unknown = config({ encryptionKey: NEWER });
    await assert.rejects(payloadCodec(unknown).decode([sealed]), /under the key [0-9a-f]{8}, which is unknown here/);
    const altered = Buffer.from(sealed.data);
    altered[altered.length - 1] = (altered.at(-1) as number) ^ 1;
    await assert.rejects(payloadCodec(on()).decode([{ ...sealed, data: altered }]), /but was altered/);
  });

  describe("in the Temporal UI", () => {
    /** As the UI has payloads from Temporal. */
    const asJson = ({ metadata, data }: Payload) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString("base64")]),
      ),
      data: Buffer.from(data ?? []).toString("base64"),
    });
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const plain = { metadata: { encoding: base64("json/plain") }, data: base64('{"bin":"A-1"}') };
    const sealedUnder = async (now: Config<"api">) => {
      const payload = { metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from('{"bin":"A-1"}') };
      const [sealed] = await payloadCodec(now).encode([payload]);
      return asJson(sealed as Payload);
    };
    /** With the cookie of a login, as a page of an origin sends it. */
    const inBrowser = (by: Caller, origin: string) =>
      service.anyone.with({ origin, cookie: `service_auth=${by.headers.authorization?.slice("Bearer ".length)}` });

    it("are decoded for an ADMIN, as far as their key is known", async () => {
      const unknown = await sealedUnder(config({ encryptWorkflows: true, encryptionKey: NEWER }));
      const payloads = [await sealedUnder(on()), plain, unknown];
      const { status, body, headers } = await inBrowser(service.admin, UI).post(DECODE, { payloads });
      assert.deepEqual([status, body], [200, { payloads: [plain, plain, unknown] }]);
      assert.equal(headers.get("access-control-allow-origin"), UI);
      assert.equal(headers.get("access-control-allow-credentials"), "true");
      assert.equal((await service.admin.post(DECODE, { payloads })).status, 200);
    });

    it("are refused to others, and to pages of any other origin", async () => {
      const payloads = [await sealedUnder(on())];
      const user = await service.user({
        warehouse_ids: [warehouse_id],
        page_keys: ["picking-batches", "integrations"],
      });
      assert.equal((await service.anyone.with({ origin: UI }).post(DECODE, { payloads })).status, 401);
      assert.equal((await inBrowser(user, UI).post(DECODE, { payloads })).status, 403);
      const [allowed = ""] = service.config.corsOrigins;
      for (const origin of ["https://evil.example.com", allowed]) {
        const { status, headers } = await inBrowser(service.admin, origin).post(DECODE, { payloads });
        assert.equal(status, 403);
        assert.notEqual(headers.get("access-control-allow-origin"), origin);
      }
      // The login's cookie alone is worth nothing elsewhere, also from there.
      assert.equal((await inBrowser(service.admin, UI).post("/api/auth/logout")).status, 403);
    });

    it("are asked for with a preflight", async () => {
      const preflight = async (origin: string) => {
        const asked = { "access-control-request-method": "POST", "access-control-request-headers": "x-namespace" };
        const { headers } = await service.anyone.with({ origin, ...asked }).call("OPTIONS", DECODE);
        return [headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")];
      };
      assert.deepEqual(await preflight(UI), [UI, "x-namespace"]);
      assert.equal((await preflight("https://evil.example.com"))[0], null);
    });
  });
});
