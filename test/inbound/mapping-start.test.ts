import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { documentOf, MappingError, useDocuments } from "../../src/inbound/documents.js";
import { mappingJsonSchema } from "../../src/inbound/schema.js";
import { freePort } from "../../src/launcher/free-port.js";
import { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { documentWith, withFiles } from "../support/mappings.js";
import { endRole, killRoles, roleEnv, startRole } from "../support/roles.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

const items = (more: object[] = []) => ({
  items: { canonical_type: "item", fields: [{ canonical: "sku", type: "string", source_path: "$.sku" }, ...more] },
});

describe("mapping documents at the start", () => {
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(async () => {
    useDocuments(new Map());
    await service.close();
  });
  beforeEach(async () => {
    await db.run("truncate inbound_source_systems_allowlist cascade");
    useDocuments(new Map());
  });

  const list = (...systems: string[]) =>
    putSourceSystems(systems.map((source_system) => ({ source_system, kind: "connector" })));
  const loads = (source_system: string) =>
    db.rows<{ user_id: string; details: Record<string, unknown> }>(
      `select user_id, details from audit_log
       where action_type = 'MAPPING_DOCUMENT_LOAD' and details ->> 'source_system' = $1 order by log_id`,
      [source_system],
    );
  /** A system that no other test has, its file, and the loading of it. */
  const withShop = (
    use: (shop: {
      system: string;
      load: () => Promise<void>;
      write: (document: unknown) => Promise<void>;
    }) => Promise<void>,
  ) => {
    const system = `shop-${randomUUID()}`;
    return withFiles({}, (folder) =>
      use({
        system,
        load: () => loadMappings(folder),
        write: (document) => writeFile(join(folder, `${system}.json`), JSON.stringify(document)),
      }),
    );
  };

  it("are loaded, and the audit trail says so once for each content", () =>
    withShop(async ({ system, load, write }) => {
      await list(system);
      await write(documentWith(items(), system));
      await Promise.all([load(), load(), load()]);
      await load();
      assert.equal(documentOf(system)?.version_compare, "integer");
      const [first, ...more] = await loads(system);
      assert.deepEqual(more, []);
      assert.equal(first?.user_id, "system:mapping_loader");
      const { path, sha256, ...rest } = first?.details ?? {};
      assert.match(String(path), new RegExp(`${system}\\.json$`));
      assert.match(String(sha256), /^[0-9a-f]{64}$/);
      assert.deepEqual(rest, {
        source_system: system,
        mapping_version: "1",
        version_compare: "integer",
        resource_count: 1,
      });

      await write({ ...documentWith(items(), system), mapping_version: "2" });
      await load();
      await write(documentWith(items(), system));
      await load();
      assert.deepEqual(
        (await loads(system)).map(({ details }) => details.mapping_version),
        ["1", "2", "1"],
      );
    }));

  it("change nothing when one of them is faulty, or its system not on the list", () =>
    withShop(async ({ system, load, write }) => {
      await write(documentWith(items(), system));
      await assert.rejects(load(), MappingError);
      await list(system);
      await load();
      await write(documentWith(items([{ canonical: "x" }]), system));
      await assert.rejects(load(), MappingError);
      assert.equal((await loads(system)).length, 1);
      assert.equal(documentOf(system)?.source_system, system);
    }));

  it("are loaded for the systems that have one; the pushes of another are 503", () =>
    withShop(async ({ system, load, write }) => {
      await write(documentWith(items(), system));
      await list(system, "another");
      await load();
      assert.equal(documentOf(system)?.source_system, system);
      const { caller } = await tokenCaller(service, { source_system: "another", inbound_resources: ["items"] });
      const { status, body } = await caller.post("/api/v1/inbound/items", {
        ...{ external_id: "1", external_version: "1", source_payload: {} },
      });
      assert.deepEqual([status, body.error_kind], [503, "mapping_document_not_loaded"]);
    }));

  it("are none without a folder", async () => {
    await list("shop");
    await loadMappings(undefined);
    assert.equal(documentOf("shop"), undefined);
  });

  it("have a schema that everybody may read, and keep for five minutes", async () => {
    const { status, body, headers } = await service.anyone.get("/api/v1/inbound/mapping-schema");
    assert.equal(status, 200);
    assert.deepEqual(body, mappingJsonSchema);
    assert.equal(body.$schema, "https://json-schema.org/draft/2020-12/schema");
    assert.equal(headers.get("cache-control"), "public, max-age=300");
    assert.equal(headers.get("x-service-canonical-model"), "DRAFT-v1");
  });
});

describe("a process whose mapping documents are faulty", function () {
  this.timeout(60_000);
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    await onServer(`create database ${database}`);
    env = roleEnv(databaseUrl(database), { SERVICE_SOURCE_SYSTEMS: "shop:connector", PORT: `${await freePort()}` });
  });
  after(async () => {
    killRoles();
    await onServer(`drop database ${database} with (force)`);
  });

  const run = (file: string, more: NodeJS.ProcessEnv) =>
    promisify(execFile)("node", [`dist/${file}`], { env: { ...env, ...more } }).then(
      () => ({ code: 0, stderr: "" }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  const faulty = documentWith(items([{ canonical: "skew", type: "string", source_path: "$..x" }]));
  const place = "  shop\\.json, items, field skew";
  const fault = new RegExp(
    `The mapping documents have 2 faults:\\n${place}, source_path: .*\\n${place}: there is no such column`,
  );

  it("API or migration, says what is wrong and ends with 78", () =>
    withFiles({ "shop.json": faulty }, async (folder) => {
      const more = { SERVICE_INBOUND_MAPPINGS_DIR: folder };
      for (const file of ["workers/prepare.js", "api/main.js"]) {
        const { code, stderr } = await run(file, more);
        assert.match(stderr, fault);
        assert.equal(code, 78, file);
      }
    }));

  it("warns when the folder is not there and no system needs it", async () => {
    const fresh = `t_${randomUUID().replaceAll("-", "")}`;
    await onServer(`create database ${fresh}`);
    const more = {
      DATABASE_URL: databaseUrl(fresh),
      SERVICE_SOURCE_SYSTEMS: "",
      SERVICE_INBOUND_MAPPINGS_DIR: "/no/such/folder",
    };
    assert.equal((await run("workers/prepare.js", more)).code, 0);
    const api = execFile("node", ["dist/api/main.js"], { env: { ...env, ...more } });
    let said = "";
    api.stdout?.on("data", (text) => {
      said += text;
    });
    await until(() => said.includes("api listens") || api.exitCode !== null, 20_000);
    assert.deepEqual(await endRole(api), [0, null]);
    assert.match(said, /"level":40.*SERVICE_INBOUND_MAPPINGS_DIR is not there/);
    await onServer(`drop database ${fresh} with (force)`);
  });

  it("says that the folder is not there", async () => {
    const { code, stderr } = await run("api/main.js", { SERVICE_INBOUND_MAPPINGS_DIR: "/no/such/folder" });
    assert.equal(code, 78);
    assert.match(stderr, /SERVICE_INBOUND_MAPPINGS_DIR: expected the path of a folder that exists/);
  });

  it("warns of a source system that has none, and starts", async () => {
    assert.equal((await run("workers/prepare.js", {})).code, 0);
    const api = execFile("node", ["dist/api/main.js"], { env });
    let said = "";
    api.stdout?.on("data", (text) => {
      said += text;
    });
    const anyone = new Caller(`http://127.0.0.1:${env.PORT}`, {}, "", 0);
    await until(async () => {
      assert.equal(api.exitCode, null);
      const health = await anyone.get("/api/health").catch(() => undefined);
      return health?.status === 200;
    }, 20_000);
    assert.deepEqual(await endRole(api), [0, null]);
    const warning = said.split("\n").find((line) => line.includes("no mapping document shop.yaml"));
    const { level, source_system } = JSON.parse(warning ?? "{}");
    assert.deepEqual([level, source_system], [40, "shop"]);
  });

  it("starts when they are mended, also before its database is migrated", () =>
    withFiles({ "shop.json": documentWith(items()) }, async (folder) => {
      const fresh = `t_${randomUUID().replaceAll("-", "")}`;
      await onServer(`create database ${fresh}`);
      const more = { DATABASE_URL: databaseUrl(fresh), SERVICE_INBOUND_MAPPINGS_DIR: folder };
      const api = startRole(["node", "dist/api/main.js"], { ...env, ...more });
      assert.equal((await run("workers/prepare.js", more)).code, 0);
      const anyone = new Caller(`http://127.0.0.1:${env.PORT}`, {}, "", 0);
      await until(async () => {
        assert.equal(api.exitCode, null);
        const health = await anyone.get("/api/health").catch(() => undefined);
        return health?.status === 200;
      }, 20_000);
      assert.deepEqual(await endRole(api), [0, null]);
      await onServer(`drop database ${fresh} with (force)`);
    }));
});
