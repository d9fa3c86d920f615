import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction, connect as openTcp } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as openTls } from "node:tls";
import ipaddr from "ipaddr.js";
import { type buildConnector, Client } from "undici";
import type { ClientTls } from "./client-tls.js";
import { Failure } from "./error-kinds.js";

export interface Address {
  address: string;
  family: number;
}

/**
 * The normalized form of a host name: without trailing dots, which make no difference. WHATWG URLs do the rest: lower
 * case, punycode, escapes, full-width dots, and all ways to write an IPv4 address.
 */
export const canonicalHost = (hostname: string) => hostname.replace(/\.+$/, "");

/** The destination is not on the public internet; nothing may be sent to it. */
export class DestinationRefused extends Error {
  override name = "DestinationRefused";
}

/** All global unicast addresses of IPv6 that are assigned; those that embed IPv4 addresses are outside or special. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** The metadata service of Azure, at an address that looks public. */
const AZURE_METADATA = "168.63.129.16";

/**
 * Whether an address is global unicast: not private, local, shared, reserved, multicast or metadata, nor IPv6 that
 * embeds such an address.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (ip.toString() === AZURE_METADATA || ip.range() !== "unicast") return false;
  return ip.kind() === "ipv4" || ip.match(GLOBAL_IPV6);
}

/**
 * Names that are never public, whatever their addresses: of the machine itself (RFC 6761) and of its network (RFC 6762,
 * RFC 8375, and `internal`, which ICANN reserves for that). The host name is empty where it was only dots.
 */
const isLocalName = (host: string) =>
  host === "" || /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/i.test(host);

export interface Resolving {
  /** Lets every address through. */
  allowInternal: boolean;
  /** In the place of those of this machine. */
  nameServers?: string[] | undefined;
}

/**
 * The addresses of a host name or of an address literal, as WHATWG URLs have them. Throws `DestinationRefused` when one
 * of them is not public, and the resolver's error when there are none.
 */
export async function resolveChecked(hostname: string, { allowInternal, nameServers }: Resolving): Promise<Address[]> {
  const host = canonicalHost(hostname).replace(/^\[(.*)\]$/, "$1");
  if (!allowInternal && isLocalName(host)) throw new DestinationRefused(`${host} is not on the public internet`);
  const found = isIP(host) ? [host] : await resolve(host, nameServers);
  const refused = found.find((address) => !allowInternal && !isPublic(address));
  if (refused)
    throw new DestinationRefused(
      refused === host
        ? `${host} is not on the public internet`
        : `${host} leads to ${refused}, which is not on the public internet`,
    );
  return found.map((address) => ({ address, family: isIP(address) }));
}

/**
 * Queries the name servers itself: `lookup` of the system blocks one of few threads until a dead name server times out,
 * and all other look-ups wait. It is used only for names that name servers do not have, such as those of this machine.
 */
async function resolve(host: string, nameServers: string[] | undefined): Promise<string[]> {
  if (!host.includes(".")) return resolveBySystem(host);
  // A new one each time, so that changes of the system's configuration apply.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  for (const answer of [v4, v6])
    if (answer.status === "rejected" && answer.reason.code === "ETIMEOUT") throw answer.reason;
  return resolveBySystem(host);
}

const resolveBySystem = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The longest wait for name servers; every attempt resolves the name again anyway. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether the host of a URL has an address that is not on the public internet. A name that cannot be resolved now is
 * accepted, as each attempt checks it again.
 */
export async function hasPrivateAddress(url: string, allowInternal: boolean): Promise<boolean> {
  const stop = new AbortController();
  const checked = resolveChecked(new URL(url).hostname, { allowInternal }).then(
    () => false,
    (error) => error instanceof DestinationRefused,
  );
  const late = pause(ANSWER_WITHIN_MS, false, { signal: stop.signal });
  late.catch(() => {});
  try {
    return await Promise.race([checked, late]);
  } finally {
    stop.abort();
  }
}

export interface Connecting {
  connectTimeoutMs: number;
  /** Certificate authorities to trust instead of Node's. */
  ca?: string | undefined;
  /** What this partner's server wants to see; its authorities come before `ca`. */
  tls?: ClientTls | undefined;
  /** How long a connection is kept that nobody uses; by default some seconds, or as long as the server says. */
  keepMs?: number | undefined;
}

/**
 * Opens connections to the addresses that were checked, and to no others, even if the host name resolves to others by
 * now. The certificate is verified for the name.
 */
function connectorTo(addresses: Address[], { connectTimeoutMs, ca, tls }: Connecting): buildConnector.connector {
  const toChecked: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses as [Address];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  return ({ hostname: host, protocol, port }, callback) => {
    const secure = protocol === "https:";
    const to = {
      host,
      port: Number(port || (secure ? 443 : 80)),
      lookup: toChecked,
      noDelay: true,
      // One address after the other, each with its share of the time.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(connectTimeoutMs / addresses.length)),
    };
    const servername = isIP(host) ? "" : canonicalHost(host);
    const ALPNProtocols = ["http/1.1"];
    const trust = tls ? { secureContext: tls.context } : { ca };
    const socket = secure ? openTls({ ...to, servername, ...trust, ALPNProtocols }) : openTcp(to);

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
  new Client(origin, {
    ...{ connect: connectorTo(addresses, options), headersTimeout: 0, bodyTimeout: 0 },
    ...(options.keepMs && { keepAliveTimeout: options.keepMs, keepAliveMaxTimeout: options.keepMs }),
  });

/** One connection, which serves one request at a time. */
export interface Line {
  client: Client;
  /** Its origin, what is shown to it, and its addresses. */
  to: string;
  /** Whether its connection was opened for the request that it serves now. */
  fresh: boolean;
}

/**
 * Keep-alive connections, closed after some seconds or when the server says. One is taken again only for the same
 * origin and the same checked addresses.
 */
export function openLines() {
  const kept = new Map<string, Line[]>();
  let closed = false;

  /** Opens a new connection. */
  function open(origin: string, addresses: Address[], connecting: Connecting): Line {
    const client = clientTo(origin, addresses, connecting);
    const line = { client, to: keyOf(origin, addresses, connecting.tls), fresh: true };
    client.on("connect", () => {
      line.fresh = true;
    });
    client.on("disconnect", () => forget(line));
    return line;
  }

  /** A connection that was kept open, else a new one. */
  function take(origin: string, addresses: Address[], connecting: Connecting): Line {
    const line = kept.get(keyOf(origin, addresses, connecting.tls))?.at(-1);
    if (!line) return open(origin, addresses, connecting);
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

const keyOf = (origin: string, addresses: Address[], tls?: ClientTls) =>
  [origin, tls?.id ?? "", ...addresses.map(({ address }) => address).sort()].join(" ");
