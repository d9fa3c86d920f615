import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** When a connection is lost: the command did not happen, or it did and nobody was told. */
export type Moment = "before commit" | "after commit";

export interface LossyProxy {
  /** The database's URL, by way of the proxy. */
  url: string;
  /** Whether a connection of Postgres comes through here, by its `client_port`. */
  carries(clientPort: number): boolean;
  /** Loses the connection on which this command commits, once. */
  loseAt(commandId: string, moment: Moment): void;
  /** Loses all connections at once. */
  loseAll(): void;
  /**
   * Lets nothing more through to those who listen, and to those who want to: they are not told that anything is wrong.
   */
  deafen(): void;
  close(): Promise<void>;
}

/** `listen …`, as a simple query begins. */
const LISTEN = Buffer.from("listen ");
/** The answer to a `commit`. */
const COMMITTED = Buffer.from("COMMIT\0");

/** A TCP proxy in front of Postgres that loses connections when it is told to, as networks and killed servers do. */
export async function openProxy(databaseUrl: string): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  const planned = new Map<string, Moment>();
  const sockets = new Set<Socket>();
  let deaf = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let committing = false;
    let listens = false;
    const lose = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", lose);
      socket.on("close", () => {
        sockets.delete(socket);
        lose();
      });
    }
    client.on("data", (sent) => {
      listens ||= sent.includes(LISTEN);
      // A command's id is sent when it is recorded, on the trip with the commit.
      const here = [...planned].find(([commandId]) => sent.includes(commandId));
      if (here) {
        const [commandId, moment] = here;
        planned.delete(commandId);
        if (moment === "before commit") return lose();
        committing = true;
      }
      upstream.write(sent);
    });
    upstream.on("data", (answer) => {
      if (committing && answer.includes(COMMITTED)) lose();
      else if (!(deaf && listens)) client.write(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const loseAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(databaseUrl);
  url.port = `${(server.address() as AddressInfo).port}`;
  // Else its socket would be asked, past the proxy.
  url.searchParams.delete("host");

  return {
    url: url.href,
    carries: (clientPort) => [...sockets].some(({ localPort }) => localPort === clientPort),
    loseAt: (commandId, moment) => void planned.set(commandId, moment),
    loseAll,
    deafen: () => {
      deaf = true;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      loseAll();
      await closed;
    },
  };
}
