import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { Caller } from "../support/caller.js";
import { freePort } from "../support/ports.js";
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
    const { token } = await anyone.ok("POST", "/api/auth/login", {
      username: "admin",
      password,
    });
    assert.ok(token);

    for (const role of [api, worker]) assert.deepEqual(await endRole(role), [0, null]);
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
