import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { startApi } from "../support/api-process.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { type LossyProxy, openProxy } from "../support/proxy.js";
import { killRoles } from "../support/roles.js";
import { createDatabase, databaseUrl, onServer } from "../support/servers.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

const LIMIT = 200;
const POLL_LIMIT = 60;
const OPEN_LIMIT = 80;
type Ask = () => Promise<number>;

describe("integration tokens in two API processes", function () {
  this.timeout(60_000);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const tokenPepper = randomUUID();
  let proxy: LossyProxy;
  /** One beside the database, and one at the other end of a network that fails. */
  let near: Caller;
  let far: Caller;

  const start = async (url: string): Promise<Caller> =>
    (
      await startApi(url, tokenPepper, {
        INBOUND_RATE_LIMIT_PER_MINUTE: `${LIMIT}`,
        POLL_RATE_LIMIT_PER_MINUTE: `${POLL_LIMIT}`,
        OPEN_RATE_LIMIT_PER_MINUTE: `${OPEN_LIMIT}`,
        TRUST_PROXY: "true",
      })
    ).caller;

  before(async () => {
    await createDatabase(name);
    connect(databaseUrl(name), 2);
    proxy = await openProxy(databaseUrl(name));
    [near, far] = await Promise.all([start(databaseUrl(name)), start(proxy.url)]);
  });
  after(async () => {
    killRoles();
    await proxy.close();
    await disconnect();
    await onServer(`drop database ${name} with (force)`);
  });

  /** A token, and what either process answers to it: 422 for letting in (nothing was sent), 401 for not. */
  async function token() {
    const made = await tokenCaller(
      { config: { tokenPepper }, anyone: near },
      {
        ...{ source_system: "shop", inbound_resources: ["items"] },
        ...{ event_types: ["ship.confirmed"], endpoints: ["events.poll"] },
      },
    );
    const carrying = (api: Caller) => api.with({ "x-wms-token": made.plaintext });
    const ask = (api: Caller) => async () => (await carrying(api).post("/api/v1/inbound/items")).status;
    const poll = (api: Caller) => async () => (await carrying(api).get("/api/v1/events")).status;
    return {
      near: ask(near),
      far: ask(far),
      polls: [poll(near), poll(far)],
      revoke: () => db.run("update wms_tokens set revoked_at = now() where token_id = $1", [made.token_id]),
    };
  }
  /** Long before it would forget the token by itself. */
  const refuses = (ask: () => Promise<number>) => until(async () => (await ask()) === 401, 15_000);
  /** Both know it. */
  async function inUse() {
    const made = await token();
    for (const ask of [made.near, made.far, made.near, made.far]) assert.equal(await ask(), 422);
    return made;
  }

  /** Connections that listen: that was the last thing they asked, or they have pinged since. */
  const listeners = () =>
    db.value<number>(`select count(*) from pg_stat_activity
         where datname = current_database() and application_name = 'warehouse session_changes,wms_token_changes'
           and (query like 'listen %' or query = 'select 1')`);

  it("end in both a moment after they were revoked", async () => {
    const { near, far, revoke } = await inUse();
    await revoke();
    await Promise.all([refuses(near), refuses(far)]);
  });

  it("end in both also when one lost its connections, and again had some", async () => {
    const { near, far, revoke } = await inUse();
    proxy.loseAll();
    await revoke();
    await refuses(near);
    await refuses(far);
    await until(async () => (await listeners()) === 2);
    const next = await inUse();
    await next.revoke();
    await refuses(next.far);
  });

  const minute = () => db.value<string>("select date_trunc('minute', now())::text as minute");
  /** What so many requests of a fresh token to each of the two were answered, all within one minute of the clock. */
  async function burst(asksOf: (made: Awaited<ReturnType<typeof token>>) => Ask[], times: number): Promise<number[]> {
    const asks = asksOf(await token());
    const begun = await minute();
    const asked = Array.from({ length: times }, () => asks.map((ask) => ask()));
    const statuses = await Promise.all(asked.flat());
    return begun === (await minute()) ? statuses : burst(asksOf, times);
  }

  it("share one limit of pushes, and one of polls", async () => {
    for (const [asksOf, limit, fine] of [
      [({ near, far }) => [near, far], LIMIT, 422],
      [({ polls }) => polls, POLL_LIMIT, 200],
    ] as [Parameters<typeof burst>[0], number, number][]) {
      const statuses = await burst(asksOf, limit * 0.75);
      assert.deepEqual([...new Set(statuses)].toSorted(), [fine, 429]);
      assert.equal(statuses.filter((status) => status === fine).length, limit);
    }
  });

  it("that are wrong share one limit of their address", async () => {
    const wrong = (api: Caller) => async () =>
      (await api.with({ "x-wms-token": "wrong" }).get("/api/v1/events")).status;
    const address = `203.0.113.${Date.now() % 256}`;
    const statuses = await burst(
      () => [near, far].map((api) => wrong(api.with({ "x-forwarded-for": address }))),
      OPEN_LIMIT * 0.75,
    );
    assert.deepEqual([...new Set(statuses)].toSorted(), [401, 429]);
    assert.equal(statuses.filter((status) => status === 401).length, OPEN_LIMIT);
  });

  // The last one: from here on nobody listens at the other end.
  it("end in one that hears nothing any more and was not told, long before they are forgotten", async () => {
    const { near, far, revoke } = await inUse();
    proxy.deafen();
    await revoke();
    await refuses(near);
    assert.equal(await far(), 422, "it cannot know");
    await refuses(far);
    const next = await inUse();
    await next.revoke();
    assert.equal(await next.far(), 401, "it asks each time");
  });
});
