import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface Address {
  address: string;
  family: number;
}

/** The destination is not on the public internet; nothing may be sent to it. */
export class DestinationRefused extends Error {
  override name = "DestinationRefused";
}

/** All global IPv6 unicast that was ever handed out; what embeds an IPv4 address in other ways lies outside or is special. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Answers machines in Azure with what concerns them alone, from an address that looks public. */
const AZURE_METADATA = "168.63.129.16";

/** Whether an address is global unicast: not private, local, shared, reserved, multicast, metadata, nor such a one in disguise. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (ip.toString() === AZURE_METADATA || ip.range() !== "unicast")
    return false;
  return ip.kind() === "ipv4" || ip.match(GLOBAL_IPV6);
}

export interface Resolving {
  /** Lets every address through. */
  allowInternal: boolean;
  /** Instead of those of this machine. */
  nameServers?: string[] | undefined;
}

/**
 * The addresses of a host name or of an address literal, as WHATWG URLs have them. Throws `DestinationRefused` when one of them is not
 * public, and the resolver's error when there are none.
 */
export async function resolveChecked(
  hostname: string,
  { allowInternal, nameServers }: Resolving,
): Promise<Address[]> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
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
 * Asks the name servers itself: the system's own way holds one of few threads for as long as a dead name server keeps silent, and
 * everybody else's look-ups would wait behind it. What name servers do not know, the system may: names of this machine
 * and of its network.
 */
async function resolve(
  host: string,
  nameServers: string[] | undefined,
): Promise<string[]> {
  if (!host.includes(".")) return resolveBySystem(host);
  // A new one each time, so that a changed configuration of the machine is noticed.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(host),
    resolver.resolve6(host),
  ]);
  const found = [v4, v6].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  if (found.length > 0) return found;
  for (const answer of [v4, v6])
    if (answer.status === "rejected" && answer.reason.code === "ETIMEOUT")
      throw answer.reason;
  return resolveBySystem(host);
}

const resolveBySystem = async (host: string) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
