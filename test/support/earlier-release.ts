import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../../src/launcher/temporal-binary.js";

/** The release before this one, and the commit that it is. */
const RELEASE = "0.3.0";
const COMMIT = "b0766bf3";

/** How long each step of the build may take. */
const WITHIN_MS = 15 * 60_000;

/**
 * The folder of the release before this one, as its image has it: built once from this repository, it stays in the
 * user's cache folder. Where the repository does not have it, as in a copy without its past, there is none, which is
 * said, and whoever needs it skips.
 */
export function earlierRelease(): string | undefined {
  const folder = join(cacheFolder(process.env, tmpdir()), `release-${RELEASE}-${COMMIT}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: building, timeout: WITHIN_MS, stdio: ["ignore", "ignore", "inherit"] });
  const archive = `${building}.tar`;
  mkdirSync(building);
  try {
    execFileSync("git", ["archive", "--output", archive, COMMIT]);
  } catch {
    console.log(`Skipped: this repository does not have ${RELEASE} (${COMMIT}).`);
    rmSync(building, { recursive: true });
    return undefined;
  }
  run("tar", "-xf", archive);
  rmSync(archive);
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  run("npx", "tsc");
  run("node", "dist/workers/bundle.js");
  renameSync(building, folder);
  return folder;
}
