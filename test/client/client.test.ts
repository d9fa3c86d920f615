import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PASSWORD, person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

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
  });
});
