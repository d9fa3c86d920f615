import assert from "node:assert/strict";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { accountBody, CARRIERS, closedParcel, toAddress } from "../support/carrier-requests.js";
import { CARRIER_ENV, keyOf, LABELS, PARCELS } from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { type MortalCarrier, openMortal } from "../support/mortal-carrier.js";
import { Scanner } from "../support/scanner.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { testFolder } from "../support/test-folder.js";
import { until } from "../support/until.js";

/** How often everything is killed in every step; `npm run test:long` says it. Without it, each is killed once. */
const ROUNDS = process.env.TEST_KILL_ROUNDS;
type Victim = Part | "carrier" | "all that Temporal knows";
/** SQL: a purchase that is in a step of which the carrier is asked something. */
const steps = {
  choosing: "status = 'pending' and remote_id is null",
  buying: "status = 'pending' and buying_at is not null and bought_at is null",
  fetching: "status = 'pending' and bought_at is not null",
  "taking back": "status = 'voiding'",
};
type Kill = [Victim, keyof typeof steps];
const ONCE: Kill[] = [
  ["Worker", "buying"],
  ["carrier", "buying"],
  ["API", "choosing"],
  ["Worker", "taking back"],
  ["Temporal", "fetching"],
  ["Postgres", "fetching"],
  ["all that Temporal knows", "buying"],
];
const EVERY: Kill[] = [
  ...(["Worker", "carrier", "API"] as const).flatMap((victim) =>
    (Object.keys(steps) as Kill[1][]).map((step): Kill => [victim, step]),
  ),
  ...ONCE.slice(-3),
];
const KILLS = ROUNDS ? Array<Kill[]>(Number(ROUNDS)).fill(EVERY).flat() : ONCE;
/** How many labels are asked for before a kill, and how many of them are taken back: 510 in a round of every kill. */
const LABELS_A_KILL = ROUNDS ? 34 : 20;
const TAKEN_BACK = 3;
/** A label that failed often waits for a quarter of an hour: as it should be, and long enough only for `test:long`. */
const WITHIN_MS = ROUNDS ? 1_200_000 : 180_000;
describe("labels of a carrier, as everything is killed", function () {
  this.timeout(2 * WITHIN_MS + KILLS.length * 60_000);
  const parcels: number[] = [];
  const takenBack: number[] = [];
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
    await stack.admin.ok("POST", CARRIERS, accountBody(warehouse_id, { config, check_address: false }));
    const { item_id } = await fixtures.item();
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    await toAddress(so_id);
    for (let n = 0; n < KILLS.length * LABELS_A_KILL; n++) parcels.push(await closedParcel(so_id));
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await carrier?.end();
  });

  const inStatus = (...statuses: string[]) =>
    db
      .value<number>("select count(*)::int from label_purchases where status = any($1)", [statuses])
      .catch(() => undefined);

  const among = (asked: number[], condition: string) =>
    db
      .column<number>(
        `select purchase_id from label_purchases l left join parcel_labels f using (purchase_id)
         where parcel_id = any($1) and (${condition}) order by purchase_id`,
        [asked],
      )
      .catch(() => []);
  const kill = async (victim: Victim) => {
    if (victim === "carrier") return carrier.kill();
    if (victim !== "all that Temporal knows") return stack.kill(victim);
    const bringBack = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
  };
  /** Takes some back, in whatever state they are. Postgres may still be coming back. */
  async function takeBack(asked: number[], condition = "true") {
    let some: number[] = [];
    await until(async () => {
      some = (await among(asked, condition)).slice(0, TAKEN_BACK);
      return some.length === TAKEN_BACK;
    }, WITHIN_MS);
    for (const purchase_id of some) {
      takenBack.push(purchase_id);
      await packer.post(`${LABELS}/${purchase_id}/void`, {});
    }
  }

  const oftenFailed = () =>
    db
      .value<number>(
        "select count(*)::int from label_purchases where status in ('pending', 'voiding') and attempts >= 2",
      )
      .catch(() => undefined);

  it("go on, whichever part dies in whichever step", async () => {
    for (const [at, [victim, step]] of KILLS.entries()) {
      // One that failed so often waits for minutes after the next failure: that is as it should be, and too long here.
      await until(async () => (await oftenFailed()) === 0, WITHIN_MS);
      const asked = parcels.slice(at * LABELS_A_KILL, (at + 1) * LABELS_A_KILL);
      const asking = Promise.all(asked.map((parcel_id) => packer.post(`${PARCELS}/${parcel_id}/label`, {})));
      const isTakenBack = step === "taking back";
      const taking = isTakenBack ? takeBack(asked, "status = 'bought'") : Promise.resolve();
      await until(async () => (await among(asked, steps[step])).length > 0, WITHIN_MS);
      await kill(victim);
      await Promise.all([asking, taking]);
      if (!isTakenBack) await takeBack(asked);
    }
  });

  it("are bought once each, and known; what was taken back is taken back there", async () => {
    await until(async () => (await inStatus("pending", "voiding")) === 0, WITHIN_MS).catch(async (error) => {
      const left = await db.rows(
        `select purchase_id, parcel_id, status, attempts, due_at - now() as due, remote_id, buying_at, bought_at,
                last_error
         from label_purchases where status in ('pending', 'voiding') limit 20`,
      );
      throw new Error(`${error.message}: ${JSON.stringify(left)}`);
    });
    const labels = await db.rows<{ purchase_id: number; status: string; tracking_number: string; stored: boolean }>(
      `select purchase_id, status, tracking_number, f.purchase_id is not null as stored
       from label_purchases left join parcel_labels f using (purchase_id)`,
    );
    assert.equal(labels.length, parcels.length, "one for each parcel");
    for (const { purchase_id, status, tracking_number, stored } of labels) {
      const { bought, voided } = await carrier.bought(await keyOf(purchase_id));
      const expected = { bought: [1, 0], voided: [1, 1], cancelled: [0, 0] }[status];
      assert.deepEqual([bought, voided], expected, `label ${purchase_id} is ${status}`);
      if (status === "bought") assert.ok(tracking_number && stored);
      assert.equal(status !== "bought", takenBack.includes(purchase_id), `label ${purchase_id} is ${status}`);
    }
    const numbers = labels.flatMap(({ tracking_number }) => tracking_number ?? []);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.equal(await carrier.sold(), numbers.length, "none is bought that nobody knows");
  });
});
