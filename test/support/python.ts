import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The client for Python, as it stands in this project. */
const client = fileURLToPath(new URL("../../../client/python", import.meta.url));

/** Whether there is a Python that is new enough for the client. */
export const hasPython = () =>
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

/** Runs a program with the client at hand, and gives what it prints as JSON. */
export function runPython(args: string[]): Promise<unknown> {
  // Without the proxies of this machine's environment: the servers of tests are on it.
  const env = { PATH: process.env.PATH, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: "1" };
  const program = spawn("python3", args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, errors] = ["", ""];
  program.stdout.on("data", (piece) => (out += piece));
  program.stderr.on("data", (piece) => (errors += piece));
  return new Promise((resolve, reject) => {
    program.once("error", reject);
    program.once("close", (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(errors))));
  });
}
