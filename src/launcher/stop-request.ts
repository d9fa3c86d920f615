import { readFileSync } from "node:fs";

/** npm passes Ctrl-C on, so it arrives twice; only a later signal is a second Ctrl-C of the user. */
const SECOND_AFTER_MS = 1_000;

/** Calls `stop` on the first signal to stop, and `force` on a second Ctrl-C. */
export function onStopRequest(stop: () => void, force: () => void): void {
  let asked = 0;
  const ask = (signal?: NodeJS.Signals) => {
    if (!asked) {
      asked = Date.now();
      stop();
    } else if (signal === "SIGINT" && Date.now() - asked > SECOND_AFTER_MS) {
      force();
    }
  };
  process.on("SIGINT", ask);
  process.on("SIGTERM", ask);
  process.on("SIGHUP", ask);
  // A killed npm sends no signal, and the service would go on without a terminal to stop it from.
  if (!process.env.npm_lifecycle_event) return;
  const before = parents();
  setInterval(() => parents() !== before && ask(), 500).unref();
}

/** The pid of the parent; under a shell, as npm starts one with `sh -c node …`, also that of the shell's parent. */
function parents(): string {
  const parent = process.ppid;
  const read = (file: string) => {
    try {
      return readFileSync(`/proc/${parent}/${file}`, "utf8");
    } catch {
      return "";
    }
  };
  if (!read("cmdline").includes("bootstrap.mjs")) return `${parent}`;
  return `${parent} ${/^PPid:\s*(\d+)/m.exec(read("status"))?.[1]}`;
}
