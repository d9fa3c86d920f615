import { createServer } from "node:net";
import type { PrintLine } from "./terminal.js";

/** Checks that the port can be listened on, and returns it; throws why not. Port 0 returns a free one. */
export function tryPort(port: number, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** The wanted port of 127.0.0.1; if it is taken, a free one, which is printed. */
export async function portNear(wanted: number, what: string, printLine: PrintLine): Promise<number> {
  try {
    return await tryPort(wanted);
  } catch {
    const port = await tryPort(0);
    printLine(`${what}: port ${wanted} is taken, using ${port}.`);
    return port;
  }
}

/** Throws an error that says what to do when the port cannot be listened on. */
export async function assertPortFree(port: number, host: string): Promise<void> {
  const reasons: Record<string, string> = {
    EADDRINUSE:
      `Port ${port} is taken by another program. Stop that, ` + `or choose another port: PORT=${port + 1} npm start`,
    EACCES: `Port ${port} needs more rights than this user has. Choose one from 1024 up: PORT=8080 npm start`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this machine.`,
    ENOTFOUND: `HOST=${host} is not an address of this machine.`,
  };
  await tryPort(port, host).catch((error: NodeJS.ErrnoException) => {
    throw new Error(reasons[error.code ?? ""] ?? error.message);
  });
}
