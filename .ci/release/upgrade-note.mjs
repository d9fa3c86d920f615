import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The first comment of a migration: what it is for. */
const titleOf = (text) => /^-- (.+(?:\n-- .+)*)/m.exec(text)?.[1].replaceAll("\n-- ", " ") ?? "";

/** The migrations that the tag of the release before does not have; all, where there is no such tag. */
function newMigrations(root, before) {
  const all = readdirSync(join(root, "migrations"))
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .toSorted();
  try {
    const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const had = execFileSync("git", ["ls-tree", "--name-only", `v${before}:migrations`], options).split("\n");
    return all.filter((name) => !had.includes(name));
  } catch {
    return all;
  }
}

/** What an operator reads before the upgrade: where from, which migrations run, in which order, and the way back. */
export function upgradeNote(root, version) {
  const chapters = [...readFileSync(join(root, "CHANGELOG.md"), "utf8").matchAll(/^## (\d\S*) /gm)].map(
    ([, name]) => name,
  );
  const before = chapters[chapters.indexOf(version) + 1];
  const operations = readFileSync(join(root, "docs/operations.md"), "utf8");
  const how = operations.split(/^## /m).find((chapter) => chapter.startsWith("Upgrades\n")) ?? "";
  const migrations = newMigrations(root, before).map((name) => {
    const about = titleOf(readFileSync(join(root, "migrations", name), "utf8"));
    return `- \`${name}\`${about && `: ${about}`}`;
  });
  return [
    `# Upgrading to ${version}`,
    "",
    before ? `From ${before}. What users notice is in CHANGES.md.` : "The first release.",
    "",
    "## Migrations",
    "",
    ...(migrations.length > 0 ? migrations : ["None: the schema stays as it is."]),
    "",
    `## ${how.replace("Upgrades\n", "How\n").trimEnd()}`,
    "",
  ].join("\n");
}
