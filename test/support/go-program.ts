import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { cacheFolder } from "../../src/launcher/temporal-binary.js";

/** How long the first build of a program may take: Temporal's server took 19 minutes beside other work. */
const BUILD_WITHIN_MS = 30 * 60_000;

const go = (...args: string[]) =>
  execFileSync("go", args, { cwd: tmpdir(), timeout: BUILD_WITHIN_MS, stdio: ["ignore", "pipe", "inherit"] });

/** The folder with the files of a Go module. */
export const goModule = (module: string, version: string): string =>
  JSON.parse(`${go("mod", "download", "-json", `${module}@${version}`)}`).Dir;

/**
 * The path of a program in `cmd/` of a Go module, built once: it stays in the user's cache folder. Without Go there is
 * none, which is said, and whoever needs it skips.
 */
export function goProgram(module: string, version: string, program: string): string | undefined {
  const name = basename(program);
  const path = join(cacheFolder(process.env, tmpdir()), "go", `${name}-${version}`, name);
  if (existsSync(path)) return path;
  try {
    // Not `go install`, which refuses a module that replaces or excludes others.
    go("build", "-C", goModule(module, version), "-o", path, `./cmd/${program}`);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    console.log(`Skipped: ${name} ${version} is built by Go, which is not installed here.`);
    return undefined;
  }
}
