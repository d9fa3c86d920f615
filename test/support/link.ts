import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The network between two parts: a TCP proxy that a test makes slow, interrupts or cuts. */
export interface Link {
  port: number;
  /** Leads to another port from now on; connections that exist are cut. */
  leadTo(port: number): void;
  /** Each packet takes so long, both ways. */
  slowDown(ms: number): void;
  /** Nothing arrives any more, and nobody is told; what was sent arrives when the link is healed. */
  interrupt(): void;
  /** The connections that exist end for whoever opened them, while the other side keeps them. */
  halfClose(): void;
  /** Connections are reset, and new ones too. */
  cut(): void;
  heal(): void;
  close(): void;
}

interface Connection {
  client: Socket;
  upstream: Socket;
}

export async function openLink(toPort: number): Promise<Link> {
  const connections = new Set<Connection>();
  let target = toPort;
  let delay = 0;
  let state: "open" | "interrupted" | "cut" = "open";

  const lose = (one: Connection) => {
    connections.delete(one);
    one.client.destroy();
    one.upstream.destroy();
  };
  const loseAll = () => {
    for (const one of connections) lose(one);
  };
  const pass = (from: Socket, to: Socket) => {
    // Timers of the same length fire in the order in which they were set.
    from.on("data", (sent) => (delay > 0 ? setTimeout(() => to.write(sent), delay) : to.write(sent)));
  };

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (state === "cut") return client.on("error", () => {}).resetAndDestroy();
    const upstream = connect({ port: target, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    const one = { client, upstream };
    connections.add(one);
    pass(client, upstream);
    pass(upstream, client);
    for (const socket of [client, upstream]) {
      if (state === "interrupted") socket.pause();
      socket.on("error", () => lose(one));
      socket.on("close", () => lose(one));
    }
    client.on("end", () => upstream.end());
    upstream.on("end", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const each = (act: (socket: Socket) => void) => {
    for (const { client, upstream } of connections) for (const socket of [client, upstream]) act(socket);
  };
  return {
    port: (server.address() as { port: number }).port,
    leadTo: (port) => {
      target = port;
      loseAll();
    },
    slowDown: (ms) => {
      delay = ms;
    },
    interrupt: () => {
      state = "interrupted";
      each((socket) => socket.pause());
    },
    halfClose: () => {
      for (const { client, upstream } of connections) {
        upstream.pause();
        client.end();
      }
    },
    cut: () => {
      state = "cut";
      for (const { client, upstream } of connections) for (const socket of [client, upstream]) socket.resetAndDestroy();
      loseAll();
    },
    heal: () => {
      state = "open";
      delay = 0;
      each((socket) => socket.resume());
    },
    close: () => {
      server.close();
      loseAll();
    },
  };
}
