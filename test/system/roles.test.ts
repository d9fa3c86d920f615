import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../src/launcher/free-port.js";
import { Caller } from "../support/caller.js";
import { endRole, killRoles, roleEnv, startRole } from "../support/roles.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { until } from "../support/until.js";

describe("the roles, each alone against given servers", function () {
  this.timeout(120_000);
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    await onServer(`create database ${database}`);
    env = roleEnv(databaseUrl(database), { TEMPORAL_TASK_QUEUE: database, PORT: `${await freePort()}` });
  });
  after(async () => {
    killRoles();
    await onServer(`drop database ${database} with (force)`);
  });

  const npm = (script: string) => promisify(execFile)("npm", ["run", "--silent", script], { env });
  const start = (script: string) => startRole(["npm", "run", "--silent", script], env);

  it("migrate, API and worker make a service that is ready, and end on SIGTERM", async () => {
    const first = await npm("migrate");
    const [, password] = /First admin: admin, password (\S+)/.exec(first.stdout) ?? assert.fail(first.stdout);
    assert.doesNotMatch((await npm("migrate")).stdout, /password/, "shown once");

    const api = start("start:api");
    const anyone = new Caller(`http://127.0.0.1:${env.PORT}`, {}, "", 0);
    const ready = () => anyone.get("/api/ready").catch(() => ({ status: 0, body: {} }));
    await until(async () => (await ready()).status === 503, 40_000);
    assert.deepEqual((await ready()).body.missing, ["worker"]);
    const worker = start("start:worker");
    await until(async () => (await ready()).status === 200, 40_000);
    const { token } = await anyone.ok("POST", "/api/auth/login", { username: "admin", password });
    assert.ok(token);

    for (const role of [api, worker]) assert.deepEqual(await endRole(role), [0, null]);
  });

  it("end in order on SIGTERM while Temporal says nothing or is not there", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const connecting = () =>
      execFile("node", ["dist/workers/main.js"], { env: { ...env, TEMPORAL_ADDRESS: `127.0.0.1:${port}` } });
    const first = connecting();
    await once(silent, "connection");
    assert.deepEqual(await endRole(first), [0, null]);
    silent.close();
    const second = connecting();
    let said = "";
    second.stdout?.on("data", (text) => (said += text));
    await until(() => said.includes("Temporal does not answer yet"), 20_000);
    assert.deepEqual(await endRole(second), [0, null]);
  });

  const failed = (file: string, more: NodeJS.ProcessEnv) =>
    promisify(execFile)("node", [`dist/${file}`], { env: { ...env, ...more } }).then(
      () => assert.fail("it did not fail"),
      ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
    );

  it("say in a sentence why a database cannot be reached, and what to do", async () => {
    const url = new URL(databaseUrl(database));
    url.search = "";
    const at = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
    const server = `${url.hostname}:${url.port}`;
    const said: Record<string, string> = {
      [at({ port: "1" })]: "Nothing listens at 127.0.0.1:1. Start Postgres there, or correct DATABASE_URL.\n",
      [at({ hostname: "no.such.host.invalid" })]:
        "There is no host no.such.host.invalid. Correct DATABASE_URL, or look at the name server.\n",
      [at({
        password: "wrong",
      })]: `Postgres at ${server} refuses the password of the role ${url.username}. Correct the one in DATABASE_URL.\n`,
      [at({ pathname: "/nothing" })]:
        `Postgres at ${server} has no database nothing. Make it: create database "nothing" owner "${url.username}".` +
        "\n",
    };
    const commands = ["workers/prepare.js", "workers/audit-verify.js", "workers/backup.js"];
    for (const [i, [DATABASE_URL, sentence]] of Object.entries(said).entries())
      assert.deepEqual(await failed(commands[i % commands.length] as string, { DATABASE_URL }), [1, sentence]);
    const start = await promisify(execFile)("node", ["dist/src/launcher/main.js"], {
      env: { ...env, DATABASE_URL: at({ port: "1" }), SERVICE_DATA_DIR: mkdtempSync(join(tmpdir(), "roles-")) },
    }).catch((error: { stdout: string }) => error);
    assert.match(start.stdout, /^The service could not start\. Nothing listens at 127\.0\.0\.1:1\. Start Postgres/m);
  });

  it("wait for migrate, and say so", async () => {
    const empty = `${database}_empty`;
    await onServer(`create database ${empty}`);
    const more = { ...env, DATABASE_URL: databaseUrl(empty), PORT: `${await freePort()}` };
    for (const file of ["api/main.js", "workers/main.js"]) {
      const role = execFile("node", [`dist/${file}`], { env: more });
      let said = "";
      role.stdout?.on("data", (text) => (said += text));
      await until(() => said.includes("waiting for the database"), 20_000);
      assert.match(
        said,
        /"msg":"waiting for the database: The database has no tables .* Make them: npm run migrate\."/,
      );
      assert.doesNotMatch(said, /stack/);
      role.kill("SIGKILL");
      await once(role, "exit");
    }
    await onServer(`drop database ${empty} with (force)`);
  });

  it("name everything that is wrong before they start", async () => {
    const failed = await promisify(execFile)("npm", ["run", "--silent", "start:api"], {
      env: { ...env, JWT_SECRET: "short", TEMPORAL_ADDRESS: "", PORT: "0" },
    }).catch((error: { code: number; stderr: string }) => error);
    assert.ok("code" in failed);
    assert.equal(failed.code, 78);
    for (const name of ["JWT_SECRET", "TEMPORAL_ADDRESS", "PORT"]) assert.match(failed.stderr, new RegExp(name));
  });
});
