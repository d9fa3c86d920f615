import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { purgeCommands } from "../../activities/maintenance/retention.js";
import { transaction } from "../../src/platform/db/db.js";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { patient } from "../support/machine-speed.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { shippingStation } from "../support/station.js";

describe("the idempotency_key of a station", () => {
  const at = shippingStation();
  const isReplay = (answer: Answer) => answer.headers.get("x-idempotent-replay") === "true";
  const reused = (answer: Answer) => {
    assert.deepEqual(
      [answer.status, answer.body.error_kind, answer.body.details],
      [409, "idempotency_key_reused_with_different_body", {}],
    );
    assert.equal(isReplay(answer), false);
  };

  it("gets the first answer again, to the byte, and changes nothing", async () => {
    const { so_id, so_number } = await at.packedMug();
    const key = randomUUID();
    const text = async (idempotency_key: string) => {
      const response = await fetch(at.station.url + at.pathOf(so_number, "ship"), {
        method: "POST",
        headers: { "content-type": "application/json", ...at.station.headers },
        body: JSON.stringify(at.parcel({ idempotency_key })),
      });
      return [response.headers.get("x-idempotent-replay"), response.status, await response.text()];
    };
    const [, status, first] = await text(key);
    assert.equal(status, 200);
    for (const again of [key, key.toUpperCase()]) assert.deepEqual(await text(again), ["true", 200, first]);
    assert.equal((await at.fulfilmentsOf(so_id)).length, 1);
    assert.equal((await at.auditsOf(so_id, "SHIP%")).length, 1);
    assert.equal((await at.eventsOf(so_id, "ship.%")).length, 1);
  });

  it("is the same request with fields in another order, and with defaults written out", async () => {
    const { so_number } = await at.packedMug();
    const sent = at.parcel();
    assert.equal((await at.ship(so_number, sent)).status, 200);
    const turned = Object.fromEntries(Object.entries(sent).reverse());
    const whole = { ...sent, ship_method: null, shipping_cost: null, weight: null, dims: null, manual_link: false };
    for (const body of [turned, whole, { ...sent, warehouse_id: undefined }]) {
      const answer = await at.station.post(at.pathOf(so_number, "ship"), body);
      assert.deepEqual([answer.status, isReplay(answer)], [200, true]);
    }
  });

  it("is refused for another body, order or endpoint", async () => {
    const [one, two] = [await at.packedMug(), await at.packedMug()];
    const sent = at.parcel();
    const { idempotency_key } = sent;
    assert.equal((await at.ship(one.so_number, sent)).status, 200);
    reused(await at.ship(one.so_number, { ...sent, tracking: "other" }));
    reused(await at.ship(one.so_number, { ...sent, manual_link: true }));
    reused(await at.ship(two.so_number, sent));
    reused(await at.voidShip(one.so_number, { idempotency_key }));
    assert.equal(((await at.headerOf(one.so_id)) as { status: string }).status, "SHIPPED");
    assert.equal(((await at.headerOf(two.so_id)) as { status: string }).status, "PACKED");
  });

  it("is the token's own", async () => {
    const [one, two] = [await at.packedMug(), await at.packedMug()];
    const key = { idempotency_key: randomUUID() };
    const other = await at.newStation();
    const answers = [await at.ship(one.so_number, key), await at.ship(two.so_number, key, other)];
    assert.deepEqual(
      answers.map((answer) => [answer.status, isReplay(answer)]),
      Array(2).fill([200, false]),
    );
  });

  it("stays free after a refusal", async () => {
    const { so_number } = await at.packedMug();
    const sent = at.parcel();
    await at.setPackingRequired(true);
    assert.equal((await at.ship("SO-NOWHERE", sent)).status, 404);
    assert.equal((await at.voidShip(so_number, { idempotency_key: sent.idempotency_key })).status, 409);
    const answer = await at.ship(so_number, sent);
    assert.deepEqual([answer.status, isReplay(answer)], [200, false]);
  });

  it("is known for 72 hours, and its row as long as any", async () => {
    const { so_number } = await at.packedMug();
    const sent = at.parcel();
    await at.ship(so_number, sent);
    const age = (interval: string) =>
      db.run(
        `update command_log set created_at = now() - $2::interval, valid_until = now() + '72 hours' - $2::interval
         where command_id like $1`,
        [`station:%:${sent.idempotency_key}`, interval],
      );
    const lasts = await db.row<{ hours: number }>(
      `select round(extract(epoch from valid_until - created_at) / 3600)::int as hours from command_log
       where command_id like $1`,
      [`station:%:${sent.idempotency_key}`],
    );
    assert.equal(lasts?.hours, 72);
    await age("71:59:50");
    assert.equal(isReplay(await at.ship(so_number, sent)), true);
    await age("72:00:01");
    assert.equal((await at.ship(so_number, sent)).body.error_kind, "already_shipped");
    await age("8 days");
    await purgeCommands();
    assert.equal(
      await db.row("select from command_log where command_id like $1", [`station:%:${sent.idempotency_key}`]),
      undefined,
    );
  });

  it("does once what sixteen ask at once with one key", async () => {
    const { so_id, so_number } = await at.packedMug();
    const sent = at.parcel();
    const answers = await Promise.all(Array.from({ length: 16 }, () => at.ship(so_number, sent)));
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, answers[0]?.body]);
    assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
    assert.equal((await at.fulfilmentsOf(so_id)).length, 1);
  });

  it("is claimed by one of two requests that meet, and refused to the other", async () => {
    const [one, two] = [await at.packedMug(), await at.packedMug()];
    const key = { idempotency_key: randomUUID() };
    const lock = "select from sales_orders where so_id = any($1) for update";
    const [first, second] = (await queuedBehindLock(
      lock,
      [[one.so_id]],
      () => at.ship(one.so_number, key),
      () => at.ship(two.so_number, key),
    )) as [Answer, Answer];
    assert.equal(first.status, 200);
    reused(second);
    assert.equal(((await at.headerOf(two.so_id)) as { status: string }).status, "PACKED");
  });

  it("answers 503 after five seconds behind somebody else's lock of the order, and is free then", async function () {
    this.timeout(patient(30_000));
    const { so_id, so_number } = await at.packedMug();
    const sent = at.parcel();
    const answers = await transaction(async (tx) => {
      await tx.row({}, "select from sales_orders where so_id = $1 for update", [so_id]);
      return Promise.all([at.ship(so_number, sent), at.voidShip(so_number)]);
    });
    for (const { status, body, headers } of answers)
      assert.deepEqual([status, body.error_kind, headers.get("retry-after")], [503, "idempotency_lock_timeout", "1"]);
    assert.equal((await at.ship(so_number, sent)).status, 200);
  });
});

describe("a station's limits", () => {
  const at = shippingStation({ RATE_LIMIT_PER_MINUTE: "600" });

  /** Until the limit of the running minute is reached; a new minute may begin meanwhile. */
  async function usedUp(ask: () => Promise<Answer>, most: number): Promise<Answer> {
    for (let n = 0; n < 2 * most + 2; n++) {
      const answer = await ask();
      if (answer.status === 429) return answer;
    }
    return assert.fail(`never refused in ${2 * most + 2} requests`);
  }

  it("are each route's own and each token's, and say when to come again", async () => {
    const refusal = await usedUp(() => at.voidShip("SO-NOWHERE"), 10);
    const { error_kind, details, message } = refusal.body;
    assert.deepEqual([error_kind, details, typeof message], ["rate_limited", {}, "string"]);
    assert.equal(refusal.headers.get("x-service-canonical-model"), "DRAFT-v1");
    assert.equal((await at.ship("SO-NOWHERE")).status, 404);
    assert.equal((await at.look("SO-NOWHERE")).status, 404);
    assert.equal((await at.voidShip("SO-NOWHERE", {}, await at.newStation())).status, 404);
    await usedUp(() => at.look("SO-NOWHERE"), 60);
  });

  it("let replays through, which count for nothing, also when they are used up", async () => {
    const station = await at.newStation();
    const { so_number } = await at.packedMug();
    const sent = at.parcel();
    for (let n = 0; n < 70; n++) assert.equal((await at.ship(so_number, sent, station)).status, 200);
    await usedUp(() => at.ship("SO-NOWHERE", {}, station), 30);
    const again = await at.ship(so_number, sent, station);
    assert.deepEqual([again.status, again.headers.get("x-idempotent-replay")], [200, "true"]);
    const other = await at.ship(so_number, { ...sent, tracking: "other" }, station);
    assert.equal(other.body.error_kind, "idempotency_key_reused_with_different_body");
  });

  it("let a replay through that waits for its first request", async () => {
    const station = await at.newStation();
    const { so_id, so_number } = await at.packedMug();
    const sent = at.parcel();
    const ask = async () => at.ship(so_number, sent, station);
    const [first, second] = (await queuedBehindLock(
      "select from sales_orders where so_id = $1 for update",
      [so_id],
      ask,
      async () => {
        await usedUp(() => at.ship("SO-NOWHERE", {}, station), 30);
        return ask();
      },
    )) as [Answer, Answer];
    assert.deepEqual([first.status, second.status, second.body], [200, 200, first.body]);
    assert.equal(second.headers.get("x-idempotent-replay"), "true");
  });
});
