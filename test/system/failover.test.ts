import assert from "node:assert/strict";
import { urlsOf } from "../../src/platform/database-hosts.js";
import { connect, databaseUnavailable, disconnect, transaction } from "../../src/platform/db/db.js";
import { type Listening, openListener } from "../../src/platform/db/listener.js";
import { databaseFault } from "../../src/platform/db/reach.js";
import { db } from "../support/db.js";
import { patient } from "../support/machine-speed.js";
import { openPair, type Pair } from "../support/standby.js";
import { until } from "../support/until.js";

describe("a DATABASE_URL with several hosts", () => {
  let pair: Pair;
  let listening: Listening;
  const heard: string[] = [];
  before(async function () {
    this.timeout(patient(60_000));
    pair = await openPair();
    assert.equal(await databaseFault({ databaseUrl: pair.url }), undefined);
    connect(pair.url, 4);
    listening = openListener(pair.url, {
      news: { notified: (text) => heard.push(text), connected: () => heard.push("connected"), lost: () => {} },
    });
    await db.run("create table kept (n int primary key)");
  });
  after(async () => {
    await listening?.close();
    await disconnect();
    pair?.close();
  });

  const add = (n: number) =>
    transaction(async (tx) => {
      await tx.run("insert into kept values ($1) on conflict do nothing", [n]);
      await tx.run("select pg_notify('news', $1)", [`${n}`]);
    });
  /** As whoever asks again until there is an answer. */
  const insist = (n: number) =>
    until(
      () =>
        add(n).then(
          () => true,
          (error) => {
            assert.ok(databaseUnavailable(error), error);
            return false;
          },
        ),
      30_000,
    );

  it("names each host with its own port", () => {
    assert.deepEqual(urlsOf("postgres://me:a%40b@one:5432,two:5433/warehouse?sslmode=require"), [
      "postgres://me:a%40b@one:5432/warehouse?sslmode=require",
      "postgres://me:a%40b@two:5433/warehouse?sslmode=require",
    ]);
    assert.deepEqual(urlsOf("postgres:///warehouse?host=/run/postgresql"), [
      "postgres:///warehouse?host=/run/postgresql",
    ]);
  });

  it("leads to the primary, wherever in the list it stands", async () => {
    await until(() => heard.includes("connected"), 20_000);
    await insist(1);
    await until(() => heard.includes("1"), 20_000);
    assert.deepEqual(await pair.primary.ask("select pg_is_in_recovery() as standby"), { standby: false });
  });

  it("leads to the new primary once the old one is gone and the standby is promoted", async function () {
    this.timeout(patient(60_000));
    pair.primary.signal("SIGKILL");
    await until(
      () =>
        pair.primary.ask("select").then(
          () => false,
          () => true,
        ),
      20_000,
    );
    await pair.standby.ask("select pg_promote()");
    await insist(2);
    assert.deepEqual(await db.rows("select n from kept order by n"), [{ n: 1 }, { n: 2 }]);
    await until(() => heard.filter((text) => text === "connected").length >= 2, 20_000);
    await insist(3);
    await until(() => heard.includes("3"), 20_000);
  });
});
