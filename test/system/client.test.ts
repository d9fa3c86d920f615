import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { generateApi } from "swagger-typescript-api";
import { document } from "../support/operations.js";
import { PASSWORD, person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

const run = promisify(execFile);
const WALK = fileURLToPath(new URL("../../../test/client/order-walk.ts", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const strict = {
  target: "ES2023",
  module: "NodeNext",
  lib: ["ES2023", "DOM"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
};

describe("a TypeScript client that is generated from the OpenAPI document", function () {
  this.timeout(60_000);
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
    const input = join(folder, "openapi.json");
    writeFileSync(input, JSON.stringify(document));
    await generateApi({
      input,
      output: folder,
      fileName: "service.ts",
      httpClientType: "fetch",
      silent: true,
      cleanOutput: false,
    });
    copyFileSync(WALK, join(folder, "order-walk.ts"));
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
