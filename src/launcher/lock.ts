import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Say } from "./say.js";

/** Held while a launcher uses a data folder. */
export interface Lock {
  /** From now on, a start on the same folder waits for this one's end instead of refusing. */
  leaving(): void;
}

const WAIT_MS = 60_000;

// A socket that listens is a lock that cannot outlive its process. Linux has names for sockets outside the file system;
// elsewhere a dead one leaves a file, which nobody answers on.
async function socketOf(folder: string): Promise<string> {
  const id = createHash("sha256")
    .update(await realpath(folder))
    .digest("hex");
  const name = `warehouse-execution-service-${id.slice(0, 32)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}

/** What the holder says of itself, or nothing when there is none. */
async function holderOf(path: string): Promise<string> {
  return text(connect(path)).catch(() => "");
}

/** Takes the data folder for this process, or throws who has it. */
export async function lockFolder(folder: string, say: Say): Promise<Lock> {
  const path = await socketOf(folder);
  let state = "running";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(`${process.pid} ${state}`);
  });
  server.unref();
  for (let waited = 0; ; waited += 200) {
    try {
      server.listen(path);
      await once(server, "listening");
      return {
        leaving: () => {
          state = "stopping";
        },
      };
    } catch {
      const [pid, doing] = (await holderOf(path)).split(" ");
      if (doing === "running" || waited > WAIT_MS)
        throw new Error(
          `The data folder ${folder} is in use by the service that runs as process ${pid}. Stop that (kill ${pid}), ` +
            "or choose another folder and port: SERVICE_DATA_DIR=.data2 PORT=8081 npm start",
        );
      if (waited === 0 && doing) say("Waiting for the service before this one to stop…");
      if (!doing && !path.startsWith("\0")) rmSync(path, { force: true });
    }
    await sleep(200);
  }
}
