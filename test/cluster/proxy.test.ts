import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../src/launcher/free-port.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { Caller } from "../support/caller.js";
import { proxyFor, proxyProgram } from "../support/cluster-proxy.js";
import { commandOf } from "../support/compose.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { patient } from "../support/machine-speed.js";
import { PASSWORD, person } from "../support/people.js";
import { endRole, killRoles, roleEnv, startRole } from "../support/roles.js";
import { createDatabase, databaseUrl, onServer } from "../support/servers.js";
import { until } from "../support/until.js";

const APIS = 3;
/** People who work at the same time, of each kind. */
const EACH = 4;
/** Longer than the proxy leaves a request to a replica that hangs. */
const ANSWER_WITHIN_MS = 30_000;

/** A unit that somebody moves, by one request, or by one and its repeats under a key. */
interface Move {
  item_id: number;
  keyed: boolean;
  answered: boolean;
}

describe("the proxy of docker-compose.yml before three APIs", function () {
  this.timeout(25 * 60_000);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const apis: ChildProcess[] = [];
  const moves: Move[] = [];
  let site: Caller;
  let warehouse_id: number;
  let from: number;
  let to: number;
  let sku: string;
  /** What has no answer yet when others get theirs again. */
  let hanging: Move[] = [];
  let working = true;
  let work: Promise<unknown>;

  before(async function () {
    const program = proxyProgram();
    if (!program) return this.skip();
    await createDatabase(name);
    connect(databaseUrl(name), 4);
    const env = roleEnv(databaseUrl(name), { TEMPORAL_TASK_QUEUE: name, RATE_LIMIT_PER_MINUTE: "0" });
    const ports = await Promise.all(Array.from({ length: APIS }, freePort));
    for (const port of ports) apis.push(startRole(commandOf("api"), { ...env, PORT: `${port}` }));
    const open = (url: string) => new Caller(url, {}, "", 0);
    for (const port of ports) await until(() => lives(open(`http://127.0.0.1:${port}`)), 40_000);
    const { url, begin } = await proxyFor(
      program,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    begin();
    const proxy = open(url);
    await until(() => lives(proxy), 20_000);
    warehouse_id = await warehouse();
    [from, to] = [await bin(warehouse_id), await bin(warehouse_id)];
    ({ sku } = await item());
    const { username } = await person();
    const { token } = await proxy.ok("POST", "/api/auth/login", { username, password: PASSWORD });
    site = proxy.with({ authorization: `Bearer ${token}` });
    work = Promise.all(Array.from({ length: EACH }, () => [read(), move(false), move(true)]).flat());
    await until(() => moves.filter(({ answered }) => answered).length > 50, 20_000);
  });
  after(async () => {
    killRoles();
    await disconnect();
    await onServer(`drop database if exists ${name} with (force)`);
  });

  const lives = (caller: Caller) =>
    caller.get("/api/health").then(
      ({ status }) => status === 200,
      () => false,
    );
  /** The status of the answer, 0 where none came. */
  const ask = (caller: Caller, method: string, path: string, body?: unknown) =>
    Promise.race([
      caller.call(method, path, body).then(
        ({ status }) => status,
        () => 0,
      ),
      pause(patient(ANSWER_WITHIN_MS), 0, { ref: false }),
    ]);

  const lookUp = () => ask(site, "GET", `/api/lookup/item/${sku}`);
  async function read(): Promise<void> {
    while (working) await lookUp();
  }
  /** Moves a unit of a new item, again and again; under a key until it is answered. */
  async function move(keyed: boolean): Promise<void> {
    while (working) {
      const { item_id } = await item();
      await stock(warehouse_id, from, item_id, 5);
      const caller = keyed ? site.with({ "idempotency-key": randomUUID() }) : site;
      const body = { item_id, from_bin_id: from, to_bin_id: to, quantity: 1 };
      const one: Move = { item_id, keyed, answered: false };
      moves.push(one);
      do one.answered = (await ask(caller, "POST", "/api/transfers/move", body)) === 200;
      while (keyed && !one.answered);
    }
  }

  /** Enough that each replica that is asked at all is asked. */
  const IN_A_ROW = 40;
  /** Whether new requests are answered, each within two seconds. */
  async function passes(): Promise<boolean> {
    for (let i = 0; i < IN_A_ROW; i++)
      if ((await Promise.race([lookUp(), pause(patient(2_000), 0, { ref: false })])) !== 200) return false;
    return true;
  }

  it("answers within seconds while one of them hangs", async () => {
    apis[0]?.kill("SIGSTOP");
    await until(passes, 15_000);
    hanging = moves.filter(({ answered }) => !answered);
  });

  it("and when another one is killed meanwhile", async () => {
    await endRole(apis[1] as ChildProcess, "SIGKILL");
    await until(passes, 15_000);
  });

  it("asks another one for what is repeatable and was left with the one that hangs", async () => {
    // A move waits where the API that hangs was in the middle of its transaction, until Postgres ends that.
    const waiting = () => hanging.filter(({ answered, keyed }) => keyed && !answered).length;
    await until(() => waiting() === 0, 40_000);
  });

  it("sent nothing twice that has no key, and what has one took effect once", async () => {
    apis[0]?.kill("SIGCONT");
    working = false;
    await work;
    const moved = new Map(
      (
        await db.rows<{ item_id: number; units: number }>(
          "select item_id, quantity_on_hand as units from inventory where bin_id = $1",
          [to],
        )
      ).map(({ item_id, units }) => [item_id, units]),
    );
    const wrong = moves.filter(({ item_id, keyed, answered }) => {
      const units = moved.get(item_id) ?? 0;
      return keyed || answered ? units !== 1 : units > 1;
    });
    assert.deepEqual(wrong, []);
    console.log(`      ${moves.length} moves, ${hanging.length} left with an API that hung`);
    assert.ok(moves.length > 100, `${moves.length} moves`);
  });
});
