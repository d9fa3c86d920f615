import { readFileSync } from "node:fs";

/** Ctrl-C comes twice when npm passes it on; only a later one is a person's second. */
const SECOND_AFTER_MS = 1_000;

/** Calls `stop` once when this process is asked to end, and `force` at a second Ctrl-C. */
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
  // A killed npm tells nobody, and the service would stay without a terminal to stop it from.
  if (!process.env.npm_lifecycle_event) return;
  const before = parents();
  setInterval(() => parents() !== before && ask(), 500).unref();
}

/** The parent, and where a shell stands between npm and us, as `sh -c node …` of npm does, also its parent. */
function parents(): string {
  const parent = process.ppid;
  const about = (file: string) => {
    try {
      return readFileSync(`/proc/${parent}/${file}`, "utf8");
    } catch {
      return "";
    }
  };
  if (!about("cmdline").includes("bootstrap.mjs")) return `${parent}`;
  return `${parent} ${/^PPid:\s*(\d+)/m.exec(about("status"))?.[1]}`;
}
