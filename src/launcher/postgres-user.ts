import { spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** How to run a program as another user, because Postgres refuses to run as root. */
export interface RunAs {
  command(program: string, args: string[]): { command: string; args: string[] };
  options: { uid?: number; gid?: number };
  /** Makes that user the owner of a file or folder. */
  own(path: string): void;
}

const asMyself: RunAs = { command: (command, args) => ({ command, args }), options: {}, own: () => {} };

/** How to run Postgres: as a user that owns `folder` and can execute `program`. Throws what to do if there is none. */
export function postgresUser(folder: string, program: string): RunAs {
  if (process.getuid?.() !== 0) return asMyself;
  const user =
    ownerOf(folder) ??
    ownerOf(dirname(folder)) ??
    ownerOf(dirname(dirname(folder))) ??
    named("postgres") ??
    named("nobody");
  if (!user)
    throw new Error(
      "Postgres does not run as root, and there is no user postgres or nobody here. " +
        "Create one (useradd --system postgres).",
    );
  const own = (path: string) => chownSync(path, user.uid, user.gid);
  own(folder);
  const plain: RunAs = { ...asMyself, options: user, own };
  // That user may have no access to a parent folder, such as /root. Linux capabilities can grant it.
  const caps = "+dac_override,+dac_read_search";
  const withCapabilities: RunAs = {
    command: (program, args) => ({
      command: "setpriv",
      args: [
        `--reuid=${user.uid}`,
        `--regid=${user.gid}`,
        "--clear-groups",
        `--inh-caps=${caps}`,
        `--ambient-caps=${caps}`,
        "--",
        program,
        ...args,
      ],
    }),
    options: {},
    own,
  };
  const working = [plain, withCapabilities].find((runAs) => canRun(runAs, folder, program));
  if (working) return working;
  throw new Error(
    `Postgres does not run as root, and user ${user.uid} cannot reach ${folder} or ${program}. ` +
      "Open the folders on the way (chmod o+x), put the service elsewhere, run it as another user, " +
      "or install setpriv (package util-linux).",
  );
}

type User = { uid: number; gid: number };

function ownerOf(path: string): User | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

function named(name: string): User | undefined {
  const id = (what: string) => {
    const { status, stdout } = spawnSync("id", [what, name], { encoding: "utf8" });
    return status === 0 ? Number(stdout) : undefined;
  };
  const [uid, gid] = [id("-u"), id("-g")];
  return uid && gid ? { uid, gid } : undefined;
}

function canRun(runAs: RunAs, folder: string, program: string): boolean {
  const test = runAs.command("sh", ["-c", '[ -w "$0" ] && [ -x "$1" ]', folder, program]);
  return spawnSync(test.command, test.args, runAs.options).status === 0;
}
