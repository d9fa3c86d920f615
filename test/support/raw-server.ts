import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer {
  host: string;
  /** Requests as text, in the order in which they came. */
  requests: string[];
  connections: number;
  close(): Promise<void>;
}

/** A server that does with each request what no HTTP server would. `nth` counts requests from 1. */
export async function openRawServer(answer: (socket: Socket, nth: number) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    raw.connections++;
    sockets.add(socket);
    socket.on("error", () => {}); // The other side broke off.
    socket.on("close", () => sockets.delete(socket));
    let came = "";
    socket.on("data", (bytes) => {
      came += bytes.toString("latin1");
      const [, head = "", length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(came) ?? [];
      if (!length || came.length < head.length + Number(length)) return;
      raw.requests.push(came);
      came = "";
      answer(socket, raw.requests.length);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const raw: RawServer = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    connections: 0,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return raw;
}
