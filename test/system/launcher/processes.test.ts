import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataFolder } from "../../../src/launcher/data-folder.js";
import { lockFolder } from "../../../src/launcher/lock.js";
import { endOrphan } from "../../../src/launcher/orphans.js";
import { assertPortFree, portNear, tryPort } from "../../../src/launcher/ports.js";
import { Processes, type ProcessSpec } from "../../../src/launcher/processes.js";
import { storedSecret } from "../../../src/launcher/secrets.js";

describe("processes of the launcher", () => {
  let folder: string;
  let said: string[];
  let processes: Processes;
  let started: ChildProcess[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "launcher-"));
    said = [];
    started = [];
    processes = new Processes((line) => said.push(line));
  });
  afterEach(() => {
    processes.killAll();
    rmSync(folder, { recursive: true });
  });

  /** A Node process that runs this code and is ready when it says so. */
  const node = (name: string, code: string): ProcessSpec => ({
    name,
    command: process.execPath,
    args: ["-e", code],
    ipc: true,
    logFile: join(folder, "logs", `${name}.log`),
    pidFile: join(folder, `${name}.pid`),
    ready: async (child) => {
      await once(child, "message");
      started.push(child);
    },
  });
  const serve = "process.send(1); setInterval(() => {}, 1000);";
  const stopped = (name: string) =>
    `process.on("SIGTERM", () => { require("fs").appendFileSync(${JSON.stringify(join(folder, "order"))}, "${name}\\n");
      process.exit(0); });`;
  const until = async (so: () => boolean) => {
    while (!so()) await sleep(20);
  };

  it("are stopped in the given order, and started no more", async () => {
    await processes.start(node("engine", stopped("engine") + serve));
    await processes.start(node("api", stopped("api") + serve));
    await processes.stopAll(["api", "worker", "engine"]);
    assert.equal(readFileSync(join(folder, "order"), "utf8"), "api\nengine\n");
    assert.equal(processes.any, false);
    await assert.rejects(processes.start(node("late", serve)));
  });

  it("are started again when they end unasked, with a word about it", async () => {
    await processes.start(node("api", serve));
    started[0]?.kill("SIGKILL");
    await until(() => started.length === 2);
    assert.match(said.join(), /api ended \(SIGKILL\); starting it again\. Its log: .*api\.log/);
    await processes.stop("api");
    assert.equal(started.length, 2);
  });

  it("that cannot start are an error with the end of their log", async () => {
    const broken = node("api", 'console.error("no database"); process.exit(3);');
    await assert.rejects(processes.start(broken), /api could not start \(exit code 3\)[\s\S]*no database/);
    await assert.rejects(processes.start({ ...broken, command: "/no/such" }), /ENOENT/);
  });

  it("that cannot start do not show what an earlier start said", async () => {
    const failing = (words: string) => node("api", `console.error(${JSON.stringify(words)}); process.exit(3);`);
    await assert.rejects(processes.start(failing("no database")), /no database/);
    await assert.rejects(processes.start(failing("no port")), ({ message }: Error) => {
      assert.match(message, /ends with:\nno port$/);
      return !message.includes("no database");
    });
    const silent = node("api", "process.exit(3);");
    await assert.rejects(processes.start(silent), /^Error: api could not start \(exit code 3\)\. It said nothing\.$/);
  });

  it("that do not stop are killed", async () => {
    await processes.start({ ...node("stubborn", `process.on("SIGTERM", () => {});${serve}`), stopWithinMs: 100 });
    await processes.stop("stubborn");
    assert.equal(started[0]?.signalCode, "SIGKILL");
  });

  it("that do one thing are waited for, with what they tell", async () => {
    let told: unknown;
    const { ready: _, ...once } = node("prepare", "process.send({ demo: true })");
    await processes.start({
      ...once,
      onMessage: (message) => {
        told = message;
      },
    });
    assert.deepEqual(told, { demo: true });
  });

  describe("that an earlier launcher left", () => {
    it("are ended when the noted pid still is theirs", async () => {
      const child = spawn(process.execPath, ["-e", serve.replace("process.send(1);", ""), folder], { stdio: "ignore" });
      await once(child, "spawn");
      const exit = once(child, "exit");
      const pidFile = join(folder, "pid");
      writeFileSync(pidFile, `${child.pid}\n`);
      assert.equal(await endOrphan({ pidFile, args: folder }), child.pid);
      assert.equal((await exit)[1], "SIGTERM");
      assert.equal(await endOrphan({ pidFile, args: folder }), undefined);
    });

    it("are left alone when the pid belongs to another process by now", async () => {
      const pidFile = join(folder, "pid");
      writeFileSync(pidFile, `${process.pid}\n`);
      assert.equal(await endOrphan({ pidFile, args: "temporal server of another folder" }), undefined);
      writeFileSync(pidFile, "");
      assert.equal(await endOrphan({ pidFile, args: "" }), undefined);
    });
  });

  it("use a data folder alone: a second launcher is told who has it, or waits for one that stops", async () => {
    // The first launcher is another process, as in life.
    const module = new URL("../../../src/launcher/lock.js", import.meta.url).href;
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `
      const { lockFolder } = await import(${JSON.stringify(module)});
      const lock = await lockFolder(${JSON.stringify(folder)}, () => {});
      process.on("message", () => { lock.setStopping(); process.send("leaving"); });
      process.send("locked");
    `,
      ],
      { stdio: ["ignore", "inherit", "inherit", "ipc"] },
    );
    try {
      await once(holder, "message");
      await assert.rejects(
        lockFolder(folder, () => {}),
        new RegExp(`in use by the service that runs as process ${holder.pid}`),
      );
      holder.send("leave");
      await once(holder, "message");
      const waiting = lockFolder(folder, (line) => {
        said.push(line);
        holder.kill("SIGKILL");
      });
      await waiting;
      assert.match(said.join(), /Waiting for the service before this one/);
    } finally {
      holder.kill("SIGKILL");
    }
  });

  it("get a free port when theirs is taken, but the API's own port must be free", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const port = (taken.address() as { port: number }).port;
    const free = await portNear(port, "Postgres", (line) => said.push(line));
    assert.notEqual(free, port);
    assert.equal(await tryPort(free), free);
    assert.deepEqual(said, [`Postgres: port ${port} is taken, using ${free}.`]);
    await assert.rejects(assertPortFree(port, "127.0.0.1"), /Port \d+ is taken .* PORT=\d+ npm start/);
    await assert.rejects(assertPortFree(port, "203.0.113.1"), /not an address of this machine/);
    taken.close();
  });

  it("need a data folder that can be written, and say what to do without one", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    assert.throws(() => makeDataFolder(file), /file cannot be used: it is a file\. Open it .* SERVICE_DATA_DIR=/);
    assert.throws(() => makeDataFolder(join(file, "data")), /cannot be used: a part of the path is a file\./);
    // Nobody may write there, not even root.
    if (existsSync("/sys"))
      assert.throws(
        () => makeDataFolder("/sys/warehouse"),
        /may not write there\. Open|file system is read-only\. Open/,
      );
    const made = join(folder, "a", "b");
    assert.equal(makeDataFolder(made), realpathSync(made));
  });

  it("share secrets that are made once, for their owner only", async () => {
    const secret = await storedSecret(folder, "jwt-secret");
    assert.equal(Buffer.from(secret, "base64").length, 32);
    assert.equal(await storedSecret(folder, "jwt-secret"), secret);
    assert.equal(statSync(join(folder, "jwt-secret")).mode & 0o777, 0o600);
  });
});
