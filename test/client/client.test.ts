import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { json, operations } from "../support/operations.js";
import { PASSWORD, person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { SECRET, signed } from "../support/wire.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const strict = {
  target: "ES2023",
  module: "NodeNext",
  lib: ["ES2023", "DOM"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
};

describe("the client that is made from the OpenAPI document, as others install it", () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  let service: TestService;
  before(async () => {
    service = await openService({ worker: true });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  it("compiles strictly, and takes an order from the purchase to the carrier", async () => {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "client"), join(folder, "node_modules/warehouse-client"));
    copyFileSync(join(root, "test/client/order-walk.ts"), join(folder, "order-walk.ts"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: strict }));
    const failed = (error: { stdout?: string }) => assert.fail(error.stdout || String(error));
    await run(process.execPath, [compiler, "-p", folder]).catch(failed);

    const { username } = await person();
    const { walkOrder } = await import(pathToFileURL(join(folder, "order-walk.js")).href);
    const statuses: string[] = await walkOrder(service.url, username, PASSWORD);
    assert.deepEqual(statuses, ["RECEIVED", "PICKED", "PACKED", "SHIPPED"]);
    const { skusOf, believes } = await import(pathToFileURL(join(folder, "order-walk.js")).href);
    for (const sku of ["CUP-01", "JUG-01"]) await service.admin.ok("POST", "/api/admin/items", { sku, item_name: sku });
    assert.deepEqual(await skusOf(service.url, username, PASSWORD), ["CUP-01", "JUG-01", "MUG-01"]);
    const { headers, body } = signed();
    assert.equal(await believes(headers, body, SECRET), true);
  });

  it("is a package with what others need, and nothing else", async () => {
    const packed = await run("npm", ["pack", "--dry-run", "--json", join(root, "client")], { cwd: folder });
    const names: string[] = JSON.parse(packed.stdout)[0].files.map(({ path }: { path: string }) => path);
    const code = names.filter((name) => name.startsWith("dist/"));
    const modules = readdirSync(join(root, "client/src")).map((name) => `src/${name.replace(/\.ts$/, "")}`);
    const expected = [...modules, "generated/routes"].flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
    assert.deepEqual(code.toSorted(), expected.toSorted());
    assert.deepEqual(
      names.filter((name) => !name.startsWith("dist/")),
      ["CHANGELOG.md", "README.md", "package.json"],
    );
    const { exports, dependencies } = JSON.parse(readFileSync(join(root, "client/package.json"), "utf8"));
    assert.equal(dependencies, undefined);
    for (const entry of Object.values<string | { types: string; default: string }>(exports))
      for (const path of typeof entry === "string" ? [entry] : Object.values(entry))
        assert.ok(names.includes(path.replace("./", "")), path);
  });

  it("finds the records of each list that has pages: they are the only list in its answer", () => {
    const lists = operations.flatMap(({ name, route, operation }) => {
      const answer = json(operation.responses["200"])?.schema.properties;
      return route.method === "get" && answer?.pages ? [{ name, answer }] : [];
    });
    assert.ok(lists.length > 20);
    for (const { name, answer } of lists)
      assert.equal(Object.values(answer).filter(({ type }) => type === "array").length, 1, name);
  });
});
