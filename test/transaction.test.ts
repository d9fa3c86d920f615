import assert from "node:assert/strict";
import { db, sqlState, transaction } from "../src/db.js";
import { type House, openHouse } from "./support/house.js";

describe("a transaction", () => {
  let house: House;
  before(async () => {
    house = await openHouse();
    await db.run("create table kept (n integer primary key check (n > 0))");
  });
  after(() => house.close());
  beforeEach(() => db.run("truncate kept"));

  const KEEP = "insert into kept values ($1)";
  const kept = () => db.rows("select n from kept order by n");

  it("runs what it does not wait for before what it asks next", async () => {
    const seen = await transaction(async (tx) => {
      tx.later.run(KEEP, [1]);
      return tx.rows("select n from kept");
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
});
