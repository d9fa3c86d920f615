import assert from "node:assert/strict";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { accountBody, CARRIERS, COLLECTIONS } from "../support/carrier-requests.js";
import { CARRIER_ENV, PARCELS, parcelTo } from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { type MortalCarrier, openMortal } from "../support/mortal-carrier.js";
import { Scanner } from "../support/scanner.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { testFolder } from "../support/test-folder.js";
import { until } from "../support/until.js";

/** SQL: a collection `c` whose manifest has come so far. */
const IS_STORED = "exists (select from collection_manifests m where m.collection_id = c.collection_id)";
const steps = {
  asked: "status = 'manifesting' and asking_at is not null and remote_id is null",
  answered: `status = 'manifesting' and remote_id is not null and not ${IS_STORED}`,
  stored: IS_STORED,
};
type Kill = [Part | "carrier", keyof typeof steps];
const KILLS: Kill[] = [
  ...(["Worker", "carrier"] as const).flatMap((victim) =>
    (Object.keys(steps) as Kill[1][]).map((step): Kill => [victim, step]),
  ),
  ["API", "asked"],
  ["Postgres", "answered"],
  ["Temporal", "answered"],
];
/** Collections that are closed before a kill, and what is in each. */
const COLLECTIONS_A_KILL = 2;
const PARCELS_EACH = 2;
const WITHIN_MS = 180_000;

describe("manifests of collections, as everything is killed", function () {
  this.timeout(300_000 + KILLS.length * 60_000);
  const collections: number[] = [];
  let stack: Stack;
  let carrier: MortalCarrier;
  let packer: Scanner;
  before(async () => {
    stack = await openStack({ ...CARRIER_ENV, CONNECTOR_CIRCUIT_OPEN_MS: "500" });
    connect(stack.databaseUrl, 4);
    carrier = await openMortal(await testFolder());
    packer = new Scanner(stack.admin);
    const warehouse_id = await fixtures.warehouse();
    const config = { api_url: carrier.url(), api_key: "EZTK_local" };
    const accounts: number[] = [];
    for (let n = 0; n < KILLS.length * COLLECTIONS_A_KILL; n++) {
      const body = accountBody(warehouse_id, { config, check_address: false });
      const { account_id } = await stack.admin.ok("POST", CARRIERS, body);
      accounts.push(account_id);
      for (let m = 0; m < PARCELS_EACH; m++) {
        const { parcel_id } = await parcelTo(warehouse_id);
        await stack.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, { account_id, carrier: "USPS" });
      }
    }
    await until(async () => (await bought()) === accounts.length * PARCELS_EACH, WITHIN_MS);
    for (const account_id of accounts) {
      const { collection_id, parcels } = await stack.admin.ok("POST", COLLECTIONS, { account_id, carrier: "USPS" });
      assert.equal(parcels, PARCELS_EACH);
      collections.push(collection_id);
    }
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await carrier?.end();
  });

  const bought = () => db.value<number>("select count(*)::int from label_purchases where status = 'bought'");
  const among = (ids: number[], condition: string) =>
    db
      .column<number>(
        `select collection_id from carrier_collections c where collection_id = any($1) and ${condition}`,
        [ids],
      )
      .catch(() => []);

  it("go on, whichever part dies in whichever step", async () => {
    for (const [at, [victim, step]] of KILLS.entries()) {
      const closed = collections.slice(at * COLLECTIONS_A_KILL, (at + 1) * COLLECTIONS_A_KILL);
      const closing = Promise.all(
        closed.map((collection_id) => packer.post(`${COLLECTIONS}/${collection_id}/close`, {})),
      );
      await until(async () => (await among(closed, steps[step])).length > 0, WITHIN_MS);
      await (victim === "carrier" ? carrier.kill() : stack.kill(victim));
      await closing;
      await until(async () => (await among(closed, "status <> 'manifesting'")).length === closed.length, WITHIN_MS);
    }
  });

  it("are made once each, known and stored, with each parcel on one", async () => {
    const rows = await db.rows<{ remote_id: string; status: string; stored: boolean; numbers: string[] }>(
      `select c.remote_id, c.status, ${IS_STORED} as stored,
              array(select tracking_number from label_purchases where manifested_with = c.collection_id
                    order by tracking_number)::text[] as numbers
       from carrier_collections c order by c.remote_id`,
    );
    assert.deepEqual(
      rows.map(({ remote_id, numbers }) => [remote_id, numbers]),
      (await carrier.forms()).map(({ id, tracking_codes }) => [id, tracking_codes.sort()]).sort(byFirst),
      "those of the carrier are those that are known",
    );
    for (const { remote_id, status, stored } of rows) assert.ok(stored && status === "manifested", remote_id);
    assert.equal(rows.length, collections.length);
    const numbers = rows.flatMap((row) => row.numbers);
    assert.equal(numbers.length, collections.length * PARCELS_EACH);
    assert.equal(new Set(numbers).size, numbers.length);
  });
});

const byFirst = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1);
