import { Client } from "undici";
import type { Address } from "./addresses.js";
import { type Connecting, connectorTo } from "./connect.js";

/** One connection, which serves one request at a time. */
export interface Line {
  client: Client;
  /** Its origin and addresses. */
  to: string;
  /** Whether its connection was opened for the request that it serves now. */
  fresh: boolean;
}

/** Keep-alive connections to partners, closed after some seconds or when the partner says. */
export function openLines(options: Connecting) {
  const kept = new Map<string, Line[]>();
  let closed = false;

  /** Opens a new connection. */
  function open(origin: string, addresses: Address[]): Line {
    // Its own timeouts are only precise to half a second; post.ts has exact ones.
    const client = new Client(origin, {
      connect: connectorTo(addresses, options),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const line = { client, to: keyOf(origin, addresses), fresh: true };
    client.on("connect", () => {
      line.fresh = true;
    });
    client.on("disconnect", () => forget(line));
    return line;
  }

  /** A connection that was kept open, else a new one. */
  function take(origin: string, addresses: Address[]): Line {
    const line = kept.get(keyOf(origin, addresses))?.at(-1);
    if (!line) return open(origin, addresses);
    forget(line);
    line.fresh = false;
    return line;
  }

  function giveBack(line: Line): void {
    const keep = !closed && line.client.stats.connected;
    if (keep) kept.set(line.to, [...(kept.get(line.to) ?? []), line]);
    else void line.client.destroy();
  }

  function forget(line: Line): void {
    const left = kept.get(line.to)?.filter((other) => other !== line) ?? [];
    if (left.length > 0) kept.set(line.to, left);
    else kept.delete(line.to);
  }

  function close(): void {
    closed = true;
    for (const { client } of [...kept.values()].flat()) void client.destroy();
    kept.clear();
  }

  return { open, take, giveBack, close };
}

const keyOf = (origin: string, addresses: Address[]) =>
  [origin, ...addresses.map(({ address }) => address).sort()].join(" ");
