import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import tar from "tar-stream";
import { hasPython } from "../support/python.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const VERSION = "99.1.0";
/** A part of the release's program, which is plain JavaScript. */
const part = (name: string) => import(new URL(`../../../.ci/release/${name}.mjs`, import.meta.url).href);

/** Names, times and texts of an archive. */
async function entriesOf(path: string) {
  const entries = new Map<string, { header: tar.Header; text: string }>();
  const extract = tar.extract();
  extract.end(gunzipSync(readFileSync(path)));
  for await (const entry of extract) {
    const pieces: Buffer[] = [];
    for await (const piece of entry) pieces.push(piece as Buffer);
    entries.set(entry.header.name, { header: entry.header, text: Buffer.concat(pieces).toString() });
  }
  return entries;
}

describe("a release", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "release-test-"));
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  after(() => rmSync(folder, { recursive: true }));
  const make = (out: string) =>
    promisify(execFile)(process.execPath, [join(root, ".ci/release.mjs"), VERSION, "--out", out], { cwd: folder });
  const text = (name: string) => readFileSync(join(first, name), "utf8");
  const found = (ending: string) =>
    join(first, readdirSync(first).find((name) => name.endsWith(ending)) ?? assert.fail(`nothing ends with ${ending}`));

  before(async () => {
    await make(first);
    // Each time files are copied, so they have other times; and here fewer rights. Neither is in it.
    const before = process.umask(0o077);
    await make(second);
    process.umask(before);
  });

  it("is the same when it is made again", () => {
    assert.equal(readFileSync(join(second, "SHA256SUMS"), "utf8"), text("SHA256SUMS"));
  });

  it("has all that belongs to it, each with its checksum", () => {
    const names = readdirSync(first).filter((name) => name !== "SHA256SUMS");
    assert.deepEqual(names.toSorted(), [
      "CHANGES.md",
      "THIRD-PARTY-LICENCES.txt",
      "UPGRADE.md",
      "sbom.cdx.json",
      `warehouse-client-${VERSION}.tgz`,
      `warehouse-execution-service-${VERSION}-docs.tar.gz`,
      `warehouse-execution-service-${VERSION}-image.tar.gz`,
      `warehouse_client-${VERSION}.tar.gz`,
    ]);
    const sums = names.map((name) => {
      const sum = createHash("sha256").update(readFileSync(join(first, name)));
      return `${sum.digest("hex")}  ${name}`;
    });
    assert.deepEqual(text("SHA256SUMS").trim().split("\n").toSorted(), sums.toSorted());
  });

  it("leaves the tree as it was", () => {
    for (const name of ["package.json", "client/package.json"])
      assert.notEqual(JSON.parse(readFileSync(join(root, name), "utf8")).version, VERSION);
    assert.ok(!readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(VERSION));
  });

  it("has its own chapter of the changelog, and a note for who upgrades", () => {
    assert.match(text("CHANGES.md"), new RegExp(`^## ${VERSION} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n- `));
    const note = text("UPGRADE.md");
    assert.match(note, new RegExp(`^# Upgrading to ${VERSION}\n\nFrom \\d+\\.\\d+\\.\\d+\\.`));
    assert.match(note, /^- `\d{4}_\w+\.sql`/m);
    assert.match(note, /\*\*migrate, workers, API\*\*/);
    assert.match(note, /the way back/i);
  });

  it("has what .dockerignore leaves for the image, of this version, with no owner and one time", async () => {
    const entries = await entriesOf(found("-image.tar.gz"));
    const files = [...entries.keys()];
    assert.deepEqual(files, files.toSorted());
    for (const name of ["Dockerfile", "package-lock.json", "api/app.ts", "docs/webhooks.md", ".ci/sbom.mjs"])
      assert.ok(entries.has(name), name);
    assert.deepEqual(
      files.filter((name) => /^(test|node_modules|dist|\.git)\/|^client\/(dist|generated)\//.test(name)),
      [],
    );
    assert.equal(JSON.parse(entries.get("package.json")?.text ?? "").version, VERSION);
    assert.match(entries.get("CHANGELOG.md")?.text ?? "", new RegExp(`^## ${VERSION} `, "m"));
    const kinds = new Set(
      [...entries.values()].map(({ header: { mtime, uid, gid, mode } }) => `${mtime?.getTime()} ${uid} ${gid} ${mode}`),
    );
    const time = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
    for (const kind of kinds) assert.match(kind, new RegExp(`^${time}000 0 0 (420|493)$`));
  });

  it("has the documentation, in which the chapter is this version's", async () => {
    const entries = await entriesOf(found("-docs.tar.gz"));
    for (const name of ["index.html", "webhooks.html", "webhooks.md", "search.json", "site.css", "llms.txt"])
      assert.ok(entries.has(name), name);
    assert.ok(entries.get("changelog.html")?.text.includes(`>${VERSION} (`));
  });

  it("has a bill of materials, and the licence of each package in it", () => {
    const { components, metadata, serialNumber } = JSON.parse(text("sbom.cdx.json"));
    assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(metadata.component.version, VERSION);
    const licences = text("THIRD-PARTY-LICENCES.txt");
    const missing = (components as { name: string; group?: string; version: string }[])
      .map(({ name, group, version }) => `${group ? `${group}/` : ""}${name} ${version}\n`)
      .filter((head) => !licences.includes(`\n${head}`));
    assert.deepEqual(missing, []);
    // What is built into the pages, and is not installed beside the service.
    for (const name of ["react", "@mantine/core", "zxing-wasm", "minisearch"])
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n`, "m"), name);
    assert.ok(licences.includes("Permission is hereby granted, free of charge"));
  });

  it("has both clients, of its version", async () => {
    const npm = await entriesOf(found(`warehouse-client-${VERSION}.tgz`));
    const { version, publishConfig } = JSON.parse(npm.get("package/package.json")?.text ?? "");
    assert.deepEqual([version, publishConfig.provenance], [VERSION, true]);
    for (const name of ["LICENSE", "CHANGELOG.md", "README.md", "dist/src/index.js", "dist/src/webhooks.d.ts"])
      assert.ok(npm.has(`package/${name}`), name);
    const python = await entriesOf(found(`warehouse_client-${VERSION}.tar.gz`));
    const inside = (name: string) => python.get(`warehouse_client-${VERSION}/${name}`)?.text ?? assert.fail(name);
    assert.match(inside("pyproject.toml"), new RegExp(`^version = "${VERSION}"$`, "m"));
    assert.match(inside("warehouse_client/routes.py"), /def receive_items\(/);
    assert.match(inside("LICENSE"), /Apache License/);
  });

  it("has a client for Python of which pip makes a wheel, without the net", async function () {
    // From 70 on setuptools makes wheels without another package.
    const tools = "import setuptools, pip, sys; sys.exit(int(setuptools.__version__.split('.')[0]) < 70)";
    const canBuild = hasPython() && (await promisify(execFile)("python3", ["-c", tools]).catch(() => false));
    if (!canBuild) {
      console.log("      there is no python3 with pip and setuptools from 70 on");
      this.skip();
    }
    const wheels = join(folder, "wheels");
    const args = ["-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", wheels];
    await promisify(execFile)("python3", [...args, found(`warehouse_client-${VERSION}.tar.gz`)], { cwd: folder });
    assert.deepEqual(readdirSync(wheels), [`warehouse_client-${VERSION}-py3-none-any.whl`]);
  });

  it("is refused without changes, with changes beside its own chapter, and for what is no version", async () => {
    const { changelogOf } = await part("stage");
    const chapter = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- First.\n";
    assert.equal(changelogOf(chapter, "1.1.0", "2026-02-03").chapter, "## 1.1.0 (2026-02-03)\n\n- New.\n\n");
    assert.throws(() => changelogOf(chapter, "1.0.0", "2026-02-03"), /the next version/);
    assert.throws(() => changelogOf(chapter.replace("- New.", ""), "1.1.0", "2026-02-03"), /no chapter of 1\.1\.0/);
    const args = [join(root, ".ci/release.mjs"), "next", "--out", join(folder, "none")];
    await assert.rejects(promisify(execFile)(process.execPath, args), /next is no version/);
  });

  it("is refused where a package has a licence that nobody has looked at", async () => {
    const { licences } = await part("licences");
    const place = join(folder, "tree");
    for (const name of ["console", "site"]) mkdirSync(join(place, name), { recursive: true });
    const packages = { "": {}, "node_modules/odd": { version: "1.0.0", license: "Odd-1.0" } };
    writeFileSync(join(place, "package-lock.json"), JSON.stringify({ packages }));
    assert.throws(() => licences(place), /odd 1\.0\.0 \(Odd-1\.0\)/);
  });
});
