import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { tryPort } from "../../../src/launcher/ports.js";
import { startPostgres } from "../../../src/launcher/postgres.js";
import { Processes } from "../../../src/launcher/processes.js";
import { startTemporal } from "../../../src/launcher/temporal-server.js";

const printLine = () => {};
const processes = new Processes(printLine);
async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const asRoot = process.getuid?.() === 0;

describe("embedded servers", () => {
  let folder: string;
  // Of this user alone: another user, as whom Postgres runs when this one is root, cannot pass.
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "servers-"));
  });
  after(() => {
    processes.killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const data = () => join(folder, "data");

  it("start Postgres, also as root and in a folder closed to others, and find its data again", async () => {
    const first = await startPostgres({ folder: data(), fsync: false, printLine, processes });
    await query(first.url, "create table kept as select 'é' as letter");
    const [settings] = await query(
      first.url,
      `select current_setting('listen_addresses') as listen, current_setting('TimeZone') as zone,
        current_setting('server_encoding') as encoding, upper('é') as upper, current_setting('unix_socket_directories')
        as sockets`,
    );
    assert.deepEqual(settings, {
      listen: "127.0.0.1",
      zone: "UTC",
      encoding: "UTF8",
      upper: "É",
      sockets: join(data(), "postgres"),
    });
    const overTcp = first.url.replace(/\?.*/, "");
    for (const [url, address] of [
      [first.url, null],
      [overTcp, "127.0.0.1"],
    ] as const)
      assert.deepEqual(await query(url, "select host(inet_server_addr()) as address"), [{ address }]);
    for (const url of [first.url, overTcp])
      await assert.rejects(query(url.replace(/:[^:@]+@/, ":wrong@"), "select 1"), /password/);
    await first.stop();

    const second = await startPostgres({ folder: data(), fsync: false, printLine, processes });
    assert.deepEqual(await query(second.url, "select letter from kept"), [{ letter: "é" }]);
    await second.stop();
    assert.equal(statSync(join(data(), "postgres-password")).mode & 0o777, 0o600);
    if (asRoot) assert.notEqual(statSync(join(data(), "postgres")).uid, 0);
  });

  it("go on after their launcher was killed: its servers are ended, taken ports avoided, data is there", async () => {
    const launcher = spawn(process.execPath, ["--input-type=module", "-e", killedLauncher(data())], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [left] = (await once(launcher, "message")) as [{ url: string }];
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await query(left.url, "create table left_behind ()");

    const said: string[] = [];
    const options = { folder: data(), fsync: false, processes, printLine: (line: string) => said.push(line) };
    const [postgres, temporal] = await Promise.all([
      startPostgres(options),
      startTemporal({ ...options, port: 0, uiPort: 0 }),
    ]);
    const words = said.join("\n");
    assert.match(words, /Postgres: ended the one that an earlier start left behind/);
    assert.match(words, /Temporal: ended the one that an earlier start left behind/);
    assert.equal((await fetch(temporal.uiUrl)).status, 200);
    const namespace = await (await fetch(`${temporal.uiUrl}/api/v1/namespaces/default`)).text();
    assert.match(namespace, /"workflowExecutionRetentionTtl":\s*"2592000s"/);
    assert.deepEqual(await query(postgres.url, "select * from left_behind"), []);
    await Promise.all([temporal.stop(), postgres.stop()]);
    assert.equal(existsSync(join(data(), "temporal.pid")), false);
  });

  it("pass over a pid that is another process's by now", async () => {
    const pidFile = join(data(), "postgres", "postmaster.pid");
    writeFileSync(pidFile, `${process.pid}\n${data()}/postgres\n`);
    writeFileSync(join(data(), "temporal.pid"), `${process.pid}\n`);
    const port = await tryPort(0);
    const lock = join(data(), "postgres", `.s.PGSQL.${port}.lock`);
    writeFileSync(lock, `${process.pid}\n${data()}/postgres\n`);
    const server = await startPostgres({ folder: data(), fsync: false, port, printLine, processes });
    await server.stop();
  });

  it("do without a socket in a folder whose path is too long for one", async () => {
    const server = await startPostgres({ folder: join(folder, "long".repeat(25)), fsync: false, printLine, processes });
    assert.deepEqual(await query(server.url, "show unix_socket_directories"), [{ unix_socket_directories: "" }]);
    await server.stop();
  });

  it("run as an ordinary user", async function () {
    const nobody = { uid: 65534, gid: 65534 };
    const module = new URL("../../../src/launcher/postgres.js", import.meta.url);
    const reaches = spawnSync(process.execPath, ["-e", "fs.readFileSync(process.argv[1])", module.pathname], nobody);
    if (!asRoot || reaches.status !== 0) return this.skip(); // then every other test is this one, or cannot be
    const home = mkdtempSync(join(tmpdir(), "ordinary-"));
    chownSync(home, nobody.uid, nobody.gid);
    const code = `const { startPostgres } = await import(${JSON.stringify(module.href)});
      const folder = ${JSON.stringify(join(home, "data"))};
      const server = await startPostgres({ folder, fsync: false, printLine() {} });
      await server.stop();`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      ...nobody,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    assert.equal(statSync(join(home, "data", "postgres")).uid, nobody.uid);
    rmSync(home, { recursive: true });
  });
});

/** A program that starts both servers, tells where they are, and waits to be killed. */
function killedLauncher(folder: string): string {
  const module = (name: string) => JSON.stringify(new URL(`../../../src/launcher/${name}.js`, import.meta.url).href);
  return `
    const { startPostgres } = await import(${module("postgres")});
    const { startTemporal } = await import(${module("temporal-server")});
    const options = { folder: ${JSON.stringify(folder)}, fsync: false, port: 0, uiPort: 0, printLine() {} };
    const { url } = await startPostgres(options);
    await startTemporal(options);
    process.send({ url });
  `;
}
