import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface Component {
  name: string;
  version: string;
  hashes?: object[];
}

describe("the bill of materials", function () {
  this.timeout(30_000);

  it("names every package of the service with its checksum, and none of its tests", () => {
    const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const [command, ...args] = scripts.sbom.split(" ");
    const text = execFileSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    const components: Component[] = JSON.parse(text).components;
    const named = (name: string) => components.find((component) => component.name === name);
    for (const name of Object.keys(dependencies)) assert.ok(named(name)?.hashes?.length, name);
    for (const name of ["mocha", "typescript", "vite"]) {
      assert.ok(name in devDependencies);
      assert.equal(named(name), undefined, name);
    }
  });
});
