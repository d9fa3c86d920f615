import { createServer } from "node:net";
import type { Say } from "./say.js";

/** Listens on the port for a moment; gives the port, or throws why it cannot. Port 0 gives a free one. */
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

/** The wanted port of 127.0.0.1, or a free one when it is taken, and then says so. */
export async function portNear(wanted: number, what: string, say: Say): Promise<number> {
  try {
    return await tryPort(wanted);
  } catch {
    const port = await tryPort(0);
    say(`${what}: port ${wanted} is taken, using ${port}.`);
    return port;
  }
}

/** Throws an error that a person can act on when nothing could listen there. */
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
