import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files that carry the version. */
export const VERSIONED = [
  ...["package.json", "package-lock.json", "client/package.json"],
  ...["client/python/pyproject.toml", "docker-compose.yml"],
];

/** What git has of the tree and what it would have, without what it ignores; sorted. */
export function filesOf(root) {
  const asked = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const names = execFileSync("git", asked, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return [...new Set(names.split("\0").filter((name) => name && !name.startsWith("release/")))].toSorted();
}

/** When the last commit was made: the time of everything in the release, so that it does not depend on the clock. */
export const timeOf = (root) =>
  new Date(Number(execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" })) * 1_000);

/**
 * The changelog with its chapter of this release, and that chapter. What stands under `## Unreleased` becomes it; where
 * there is nothing, it has to be there already.
 */
export function changelogOf(text, version, day) {
  const chapters = text.split(/^(?=## )/m);
  const unreleased = chapters.find((chapter) => chapter.startsWith("## Unreleased\n"));
  const own = chapters.find((chapter) => chapter.startsWith(`## ${version} (`));
  const isNew = Boolean(unreleased?.replace("## Unreleased", "").trim());
  if (isNew && own)
    throw new Error(`CHANGELOG.md has changes that are not in ${version}: npm run release -- <the next version>`);
  if (!isNew && !own) throw new Error(`CHANGELOG.md has no chapter of ${version}`);
  const chapter = own ?? unreleased.replace("## Unreleased", `## ${version} (${day})`);
  return { chapter, text: own ? text : text.replace(unreleased, chapter) };
}

/** Sets the version in the first place of a file that has one, in both of the lock file. */
function withVersion(name, text, version) {
  if (name.endsWith(".yml")) return text.replace(/^( *image: warehouse-execution-service:).*$/m, `$1${version}`);
  if (name.endsWith(".toml")) return text.replace(/^version = ".*"$/m, `version = "${version}"`);
  const json = JSON.parse(text);
  json.version = version;
  if (json.packages?.[""]) json.packages[""].version = version;
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Copies the tree into a folder, as it is in this release; gives its files and its chapter of the changelog. */
export function stage(root, folder, version) {
  const files = filesOf(root);
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(root, name), join(folder, name));
  }
  const day = timeOf(root).toISOString().slice(0, 10);
  const { chapter, text } = changelogOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, day);
  writeFileSync(join(folder, "CHANGELOG.md"), text);
  for (const name of VERSIONED) {
    const path = join(folder, name);
    writeFileSync(path, withVersion(name, readFileSync(path, "utf8"), version));
  }
  return { files, chapter };
}
