// `npm run release -- [version] [--out folder] [--write]`: everything that a release has, into release/<version>/
// (docs/develop/release.md). The same commit gives the same bytes. The tree stays as it is, but with --write, which puts
// the version and its chapter of the changelog into it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { archive, contextOf } from "./release/archive.mjs";
import { licences } from "./release/licences.mjs";
import { stage, timeOf, VERSIONED } from "./release/stage.mjs";
import { upgradeNote } from "./release/upgrade-note.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" }, write: { type: "boolean", default: false } },
});
const [version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version such as 1.2.0`);

const out = values.out ?? join(root, "release", version);
const time = timeOf(root);
const staged = mkdtempSync(join(tmpdir(), "release-"));
const run = (command, args, options) =>
  execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
const write = (name, text) => writeFileSync(join(out, name), text);
const below = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );

try {
  const { files, chapter } = stage(root, staged, version);
  const licenceTexts = licences(root);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });

  write("CHANGES.md", chapter.trimEnd().concat("\n"));
  write("UPGRADE.md", upgradeNote(staged, version));
  write("THIRD-PARTY-LICENCES.txt", licenceTexts);
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${time.getTime() / 1_000}` };
  write("sbom.cdx.json", run(process.execPath, [join(root, ".ci/sbom.mjs")], { cwd: staged, env }));

  const image = `warehouse-execution-service-${version}-image.tar.gz`;
  await archive(join(out, image), contextOf(staged, files), (name) => join(staged, name), time);

  const site = join(staged, "site-of-docs");
  run(process.execPath, [join(root, "dist/site/main.js"), staged, site]);
  const docs = `warehouse-execution-service-${version}-docs.tar.gz`;
  await archive(join(out, docs), below(site), (name) => join(site, name), time);

  // Compiled here, packed with the staged version; npm gives all files one time.
  const client = join(staged, "client");
  for (const folder of [client, join(client, "python")]) copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(root, "client/dist"), join(client, "dist"), { recursive: true });
  run("npm", ["pack", client, "--pack-destination", out, "--silent", "--ignore-scripts"], { cwd: staged });

  // As `python -m build --sdist` names and lays it out, of which pip makes a wheel.
  const python = join(client, "python");
  for (const name of ["routes.py", "types.py", "webhooks.py"])
    copyFileSync(join(root, "client/python/warehouse_client", name), join(python, "warehouse_client", name));
  writeFileSync(join(python, "PKG-INFO"), `Metadata-Version: 2.1\nName: warehouse-client\nVersion: ${version}\n`);
  const folder = `warehouse_client-${version}`;
  const inFolder = below(python).map((name) => `${folder}/${name}`);
  await archive(join(out, `${folder}.tar.gz`), inFolder, (name) => join(python, name.slice(folder.length + 1)), time);

  const sums = readdirSync(out)
    .toSorted()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(out, name)))
          .digest("hex")}  ${name}\n`,
    );
  write("SHA256SUMS", sums.join(""));
  if (values.write)
    for (const name of ["CHANGELOG.md", ...VERSIONED]) copyFileSync(join(staged, name), join(root, name));
  console.log(`${out}:\n${sums.join("")}`);
} finally {
  rmSync(staged, { recursive: true });
}
