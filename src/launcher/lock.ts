import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrintLine } from "./terminal.js";

/** Held while a launcher uses a data folder. */
export interface Lock {
  /** From now on, another launcher on the same folder waits for the end of this one, instead of failing. */
  setStopping(): void;
}

const WAIT_MS = 60_000;

// A listening socket is a lock that ends with its process. On Linux its name is outside the file system; elsewhere a
// killed process leaves a file, on which connections fail.
async function socketOf(folder: string): Promise<string> {
  const id = createHash("sha256")
    .update(await realpath(folder))
    .digest("hex");
  const name = `warehouse-execution-service-${id.slice(0, 32)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}

/** The pid and the state of the lock's holder; empty when there is none. */
async function holderOf(path: string): Promise<string> {
  return text(connect(path)).catch(() => "");
}

/** Locks the data folder for this process; throws an error that names the process which holds it. */
export async function lockFolder(folder: string, printLine: PrintLine): Promise<Lock> {
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
        setStopping: () => {
          state = "stopping";
        },
      };
    } catch {
      const [pid, itsState] = (await holderOf(path)).split(" ");
      if (itsState === "running" || waited > WAIT_MS)
        throw new Error(
          `The data folder ${folder} is in use by the service that runs as process ${pid}. Stop that (kill ${pid}), ` +
            "or choose another folder and port: SERVICE_DATA_DIR=.data2 PORT=8081 npm start",
        );
      if (waited === 0 && itsState) printLine("Waiting for the service before this one to stop…");
      if (!itsState && !path.startsWith("\0")) rmSync(path, { force: true });
    }
    await sleep(200);
  }
}
