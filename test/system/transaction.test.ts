import assert from "node:assert/strict";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import {
  connect,
  databaseUnavailable,
  db,
  disconnect,
  type Sql,
  sqlState,
  transaction,
  WITHOUT_LIMITS,
} from "../../src/platform/db/db.js";
import { testService } from "../support/service.js";

const Kept = { n: int };

describe("a transaction", () => {
  const service = testService();
  before(async () => {
    await db.run("create table kept (n integer primary key check (n > 0))");
  });
  beforeEach(() => db.run("truncate kept"));

  const KEEP = "insert into kept values ($1)";
  const kept = () => db.rows(Kept, "select n from kept order by n");

  it("runs what it does not wait for before what it asks next", async () => {
    const seen = await transaction(async (tx) => {
      tx.later.run(KEEP, [1]);
      return tx.rows(Kept, "select n from kept");
    });
    assert.deepEqual(seen, [{ n: 1 }]);
    assert.deepEqual(await kept(), [{ n: 1 }]);
  });

  it("fails with what it did not wait for, at the end", async () => {
    const failed = transaction(async (tx) => {
      await tx.run(KEEP, [1]);
      tx.later.run(KEEP, [1]);
    });
    await assert.rejects(failed, (error) => sqlState(error) === "23505");
    assert.deepEqual(await kept(), []);
  });

  it("names the first failure, not that of what was asked behind it", async () => {
    const failed = transaction(async (tx) => {
      tx.later.run(KEEP, [0]);
      tx.later.run(KEEP, [2]);
      await tx.run(KEEP, [3]);
    });
    await assert.rejects(failed, (error) => sqlState(error) === "23514");
    assert.deepEqual(await kept(), []);
  });

  it("keeps the refusal of its work", async () => {
    const failed = transaction(async (tx) => {
      tx.later.run(KEEP, [4]);
      throw new Error("refused");
    });
    await assert.rejects(failed, /refused/);
    assert.deepEqual(await kept(), []);
  });

  it("that nobody goes on with frees its rows, and fails as one whose database is away", async () => {
    const [limit] = await db.rows(
      { limit: text },
      "select current_setting('idle_in_transaction_session_timeout') as limit",
    );
    assert.deepEqual(limit, { limit: "20s" });
    await db.run(KEEP, [1]);
    let other = Promise.resolve(0);
    const hung = transaction(async (tx) => {
      await tx.run("set local idle_in_transaction_session_timeout = '50ms'");
      await tx.run("update kept set n = 2");
      other = db.run("update kept set n = 3");
      await other;
      await tx.run("update kept set n = 4");
    });
    await assert.rejects(hung, databaseUnavailable);
    assert.equal(await other, 1);
    assert.deepEqual(await kept(), [{ n: 3 }]);
  });

  it("asks the same new text several times at once", async () => {
    const asked = await transaction((tx) =>
      Promise.all([1, 2, 3].map((n) => tx.row(Kept, "select $1::int as n", [n]))),
    );
    assert.deepEqual(asked, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("does not run what was asked together with a failure, behind it", async () => {
    const failed = transaction(async (tx) => {
      const [first, second, third] = await Promise.allSettled([
        tx.run(KEEP, [1]),
        tx.run(KEEP, [-1]),
        tx.run("select pg_notify('nobody', 'hears'), 1 / 0"),
      ]);
      assert.equal(first?.status, "fulfilled");
      assert.equal(second?.status, "rejected");
      assert.equal(third?.status, "rejected");
      throw third?.reason;
    });
    await assert.rejects(failed, (error) => sqlState(error) === "23514");
    assert.deepEqual(await kept(), []);
  });

  it("waits for no lock, and runs no statement, for ever, unless it says so", async () => {
    const limits = async (sql: Sql) =>
      Promise.all(
        ["lock_timeout", "statement_timeout"].map(
          async (name) => (await sql.row({ value: text }, "select current_setting($1) as value", [name]))?.value,
        ),
      );
    assert.deepEqual(await limits(db), ["10s", "30s"]);
    const without = await transaction((tx) => {
      tx.later.run(WITHOUT_LIMITS);
      return limits(tx);
    });
    assert.deepEqual(without, ["0", "0"]);
    assert.deepEqual(await limits(db), ["10s", "30s"]);
  });

  it("prepares a statement anew when its table got a column", async () => {
    await disconnect();
    connect(service.config.databaseUrl, 1);
    const all = () => transaction((tx) => tx.rows(z.looseObject({}), "select * from kept"));
    await db.run(KEEP, [1]);
    assert.deepEqual(await all(), [{ n: 1 }]);
    await db.run("alter table kept add m integer default 2");
    await assert.rejects(all(), (error) => sqlState(error) === "0A000");
    assert.deepEqual(await all(), [{ n: 1, m: 2 }]);
    await db.run("alter table kept drop m");
  });
});
