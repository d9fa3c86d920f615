import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { grantableFunctions, overrideKeys, pageKeys } from "../../src/auth/rights.js";

const source = readFileSync(
  fileURLToPath(new URL("../../../console/desk/pages/auth/presets.ts", import.meta.url)),
  "utf8",
);

describe("what people are given by what they do", () => {
  it("names functions and pages that there are", () => {
    const [, listed = ""] = /export const presets.*?= \{(.*?)^\};/ms.exec(source) ?? [];
    const named = [...listed.matchAll(/(?<!\bt\()"([\w-]+)"/g)].map(([, name = ""]) => name);
    assert.ok(named.length > 40);
    const known: string[] = [...grantableFunctions, ...pageKeys, ...overrideKeys, "ADMIN"];
    assert.deepEqual(
      named.filter((name) => !known.includes(name)),
      [],
    );
  });
});
