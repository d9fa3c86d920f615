import { isIP, type LookupFunction, connect as openTcp } from "node:net";
import { connect as openTls } from "node:tls";
import { type buildConnector, Client } from "undici";
import { type Address, canonicalHost } from "./addresses.js";
import { Failure } from "./failure.js";

export interface Connecting {
  connectTimeoutMs: number;
  /** Certificate authorities to trust instead of Node's. */
  ca?: string | undefined;
}

/**
 * Opens connections to the addresses that were checked, and to no others, even if the host name resolves to others by
 * now. The certificate is verified for the name.
 */
function connectorTo(addresses: Address[], { connectTimeoutMs, ca }: Connecting): buildConnector.connector {
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses as [Address];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  return ({ hostname: host, protocol, port }, callback) => {
    const secure = protocol === "https:";
    const to = {
      host,
      port: Number(port || (secure ? 443 : 80)),
      lookup,
      noDelay: true,
      // One address after the other, each with its share of the time.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(connectTimeoutMs / addresses.length)),
    };
    const servername = isIP(host) ? "" : canonicalHost(host);
    const ALPNProtocols = ["http/1.1"];
    const socket = secure ? openTls({ ...to, servername, ca, ALPNProtocols }) : openTcp(to);

    let stage: "connecting" | "in handshake" | "open" = "connecting";
    const timer = setTimeout(() => {
      socket.destroy(new Failure("timeout", "No connection in time"));
    }, connectTimeoutMs);
    socket.once("connect", () => {
      if (secure) stage = "in handshake";
    });
    socket.once(secure ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      stage = "open";
      callback(null, socket);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (stage === "open") return; // The client handles it.
      const isOwn = stage === "connecting" || error instanceof Failure;
      callback(isOwn ? error : new Failure("tls", `TLS failed (${error.code})`), null);
    });
  };
}

/** A connection to these addresses. Its own timeouts are only precise to half a second; exchange.ts has exact ones. */
export const clientTo = (origin: string, addresses: Address[], options: Connecting): Client =>
  new Client(origin, { connect: connectorTo(addresses, options), headersTimeout: 0, bodyTimeout: 0 });

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
    const client = clientTo(origin, addresses, options);
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
