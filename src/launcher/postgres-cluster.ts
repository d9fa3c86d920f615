import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Binaries } from "./postgres-binaries.js";
import { postgresUser, type RunAs } from "./postgres-user.js";
import type { Processes } from "./processes.js";

/** The database user that owns everything. */
export const USER = "warehouse";

interface Cluster {
  /** Contains the file `postgres-password`. */
  folder: string;
  /** Where Postgres keeps its files. */
  data: string;
  binaries: Binaries;
  fsync: boolean;
  processes: Processes;
}

/** Creates the files of Postgres at the first start. Returns how to run it as the owner of these files. */
export async function makeCluster(cluster: Cluster): Promise<RunAs> {
  const { folder, data, binaries, fsync, processes } = cluster;
  if (existsSync(data)) return postgresUser(data, binaries.postgres);
  processes.printLine("Postgres: making an empty database…");
  // Created under another name and then renamed, so that an incomplete one is never used.
  const home = `${data}.new`;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { mode: 0o700 });
  const runAs = postgresUser(home, binaries.postgres);
  const password = join(folder, "postgres-password");
  runAs.own(password);
  await processes.start({
    name: "Postgres set-up",
    ...runAs.command(binaries.initdb, [
      ...["-D", home, "-U", USER, `--pwfile=${password}`],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"],
      // Postgres's own Unicode rules: the same sort order and upper case on every system and after upgrades.
      ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      // Tests connect thousands of times, and each connection would hash a password that nobody has to guess.
      ...(fsync ? [] : ["--no-sync", "--set", "scram_iterations=1"]),
    ]),
    options: { ...runAs.options, cwd: folder, env: { ...process.env, LC_ALL: "C" } },
    logFile: join(folder, "logs", "postgres.log"),
  });
  renameSync(home, data);
  return runAs;
}
