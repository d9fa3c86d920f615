import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../../src/launcher/temporal-binary.js";

/** How long the first build of a program may take. */
const BUILD_WITHIN_MS = 20 * 60_000;

/**
 * The path of a program in `cmd/` of a Go module, built once: it stays in the user's cache folder. Without Go there is
 * none, which is said, and whoever needs it skips.
 */
export function goProgram(module: string, version: string, name: string): string | undefined {
  const path = join(cacheFolder(process.env, tmpdir()), "go", `${name}-${version}`, name);
  if (existsSync(path)) return path;
  const go = (...args: string[]) =>
    execFileSync("go", args, { cwd: tmpdir(), timeout: BUILD_WITHIN_MS, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const { Dir } = JSON.parse(`${go("mod", "download", "-json", `${module}@${version}`)}`) as { Dir: string };
    // Not `go install`, which refuses a module that replaces or excludes others.
    go("build", "-C", Dir, "-o", path, `./cmd/${name}`);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    console.log(`Skipped: ${name} ${version} is built by Go, which is not installed here.`);
    return undefined;
  }
}
