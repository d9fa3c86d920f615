import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import pg from "pg";
import { freePort } from "../../src/launcher/free-port.js";
import { payloadFits } from "../support/events.js";
import { pluck } from "../support/pluck.js";
import { scansIn } from "../support/scans-in-history.js";
import { testFolder } from "../support/test-folder.js";
import { until } from "../support/until.js";
import { commandsOf, paste } from "../support/walks.js";

const PASSWORD = "first-walk-1";
const root = new URL("../../../", import.meta.url);

describe("npm start", function () {
  this.timeout(120_000);
  const folder = testFolder();
  let port: number;
  let service: ChildProcess;
  let said = "";

  async function start(): Promise<void> {
    said = "";
    service = spawn("npm", ["start"], {
      cwd: root,
      detached: true,
      env: {
        ...process.env,
        PORT: `${port}`,
        SERVICE_DATA_DIR: folder,
        SERVICE_ADMIN_PASSWORD: PASSWORD,
        LOG_LEVEL: "info",
        SERVICE_DEMO_DATA: "data",
        SERVICE_ALLOW_HTTP_WEBHOOKS: "true",
        SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true",
      },
    });
    service.stdout?.on("data", (text) => (said += text));
    service.stderr?.on("data", (text) => (said += text));
    await until(() => {
      assert.equal(service.exitCode, null, said);
      return said.includes("Stop with Ctrl-C");
    }, 60_000);
  }
  const isRunning = () => service?.exitCode === null && service.signalCode === null;
  /** As Ctrl-C at a terminal does: the signal goes to everything that the command started. */
  async function interrupt(): Promise<void> {
    const exited = once(service, "exit");
    process.kill(-(service.pid as number), "SIGINT");
    await exited;
  }
  /** Processes that have the data folder in their command line: all that the service starts. */
  const processes = () =>
    execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(folder));

  before(async () => {
    port = await freePort();
  });
  // What the test before has left running stays: a start takes ten seconds of a processor.
  beforeEach(async () => {
    if (!isRunning()) await start();
  });
  after(async () => {
    if (isRunning()) await interrupt();
    rmSync(folder, { recursive: true, force: true });
  });

  it("answers a shop that pushes twice alike and sends a partner what is shipped, as in the README", async () => {
    const chapters = ["A first walk", "A shop pushes its records", "A partner receives events"];
    const said = await walked(chapters, { HOOK_PORT: `${await freePort()}` });
    assert.equal(said.match(/^verified: \d+ ship\.confirmed$/gm)?.length, 2);
    assert.match(said, /Order ACME-1001 is OPEN/);
    const answers = said.split("\n").filter((line) => line.includes('"canonical_type":"sales_order"'));
    assert.equal(answers.length, 2);
    assert.equal(answers[0], answers[1]);
  });

  it("runs a warehouse in which the README's walk ends in SHIPPED, and finds it again after Ctrl-C", async () => {
    const { order, workflowId } = await firstWalk();
    const events = await eventsOf(order);
    assert.deepEqual(pluck(events, "event_type"), [
      "receipt.completed",
      "pick.confirmed",
      "pack.confirmed",
      "ship.confirmed",
    ]);
    const numbers = events.map((event) => event.event_id);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    for (const { event_type, payload } of events) assert.deepEqual(payloadFits(event_type, payload), []);

    const { status, scans } = await waveOf(workflowId);
    assert.deepEqual([status, scans], ["COMPLETED", 1]);

    assert.ok(processes().length > 0);
    await interrupt();
    assert.match(said, /Stopped\./);
    assert.deepEqual(processes(), []);

    await start();
    assert.equal((await eventsOf(order)).length, 4);
  });

  it("goes on with what was committed after everything was killed", async () => {
    const { order } = await firstWalk();
    const exited = once(service, "exit");
    process.kill(-(service.pid as number), "SIGKILL");
    for (const line of processes()) {
      try {
        process.kill(Number.parseInt(line, 10), "SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    }
    await exited;
    await start();
    assert.equal((await eventsOf(order)).length, 4);
  });

  it("is backed up while it runs, and restored after its data folder was lost", async () => {
    const { order } = await firstWalk();
    const file = join(tmpdir(), `${basename(folder)}.gz`);
    const env = { ...process.env, SERVICE_DATA_DIR: folder };
    const npm = (...args: string[]) => execFileSync("npm", ["run", "--silent", ...args], { cwd: root, env }).toString();
    try {
      assert.match(npm("backup", "--", file), /^Backed up \d+ tables/);
      const running = spawnSync("npm", ["run", "restore", "--", file], { cwd: root, env }).stderr.toString();
      assert.match(running, /in use by the service that runs as process \d+/);
      await interrupt();
      assert.deepEqual(processes(), []);
      rmSync(folder, { recursive: true });
      assert.match(npm("restore", "--", file), /^Restored \d+ tables.*encryption key \w{8}; here is none yet\. Put/ms);
      await start();
      assert.equal((await eventsOf(order)).length, 4);
      await interrupt();
      assert.deepEqual(processes(), []);
    } finally {
      rmSync(file);
    }
  });

  /** What chapters of the README say when they are pasted into one shell. */
  const walked = (chapters: string[], env: Record<string, string> = {}) =>
    paste(chapters.map((chapter) => commandsOf("README.md", chapter)).join("\n"), {
      ...{ PASSWORD, API: `http://127.0.0.1:${port}` },
      ...env,
    });

  /** The order that the README's first walk ships, and its wave; it is walked once, and found again by all tests. */
  let walk: { order: string; workflowId: string } | undefined;
  async function firstWalk() {
    if (walk) return walk;
    const said = await walked(["A first walk"]);
    const [, order = "", workflowId = ""] = /Order (\S+) is SHIPPED, wave (\S+)/.exec(said) ?? assert.fail(said);
    walk = { order, workflowId };
    return walk;
  }

  /** Address of a server, as the service's processes were told it. */
  function told(name: string): string {
    const pid = Number.parseInt(processes().find((line) => line.includes("api/main.js")) ?? "", 10);
    const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return env.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? assert.fail(`${name} is not set`);
  }

  async function eventsOf(order: string) {
    const client = new pg.Client(told("DATABASE_URL"));
    await client.connect();
    try {
      const read = () =>
        client.query<{ event_id: number; event_type: string; payload: unknown }>(
          `select event_id::int, event_type, event_data(integration_events) as payload from integration_events
           where warehouse_id = (select warehouse_id from sales_orders where so_number = $1) order by outbox_id`,
          [order],
        );
      await until(async () => (await read()).rows.every((row) => row.event_id !== null));
      return (await read()).rows;
    } finally {
      await client.end();
    }
  }

  async function waveOf(workflowId: string) {
    const connection = await Connection.connect({ address: told("TEMPORAL_ADDRESS") });
    try {
      const handle = new Client({ connection }).workflow.getHandle(workflowId);
      const { status } = await handle.describe();
      const { events } = await handle.fetchHistory();
      return { status: status.name, scans: scansIn(events).length };
    } finally {
      await connection.close();
    }
  }
});
