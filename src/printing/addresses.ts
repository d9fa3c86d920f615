import ipaddr from "ipaddr.js";
import { type Address, DestinationRefused, isPublic, resolveChecked } from "../outbound/wire/connections.js";
import type { PrinterKind } from "./kinds.js";
import { BadPrinterAddress } from "./problems.js";

/**
 * Where printers may be. They are in the house's own network, where other servers are, too: so only in the networks
 * that SERVICE_PRINTER_NETWORKS names, and a service like PrintNode also on the public internet.
 */

/** Metadata services of clouds give credentials to whoever asks; no printer is there, whatever networks are named. */
const METADATA = ["168.63.129.16", "100.100.100.200", "fd00:ec2::254"];
const NO_PRINTER = ["linkLocal", "multicast", "broadcast", "unspecified"];

/** What an address says, by kind; throws 400 where it says nothing of that kind. */
export function placeOf(kind: PrinterKind, address: string): Place {
  if (kind === "raw9100") return rawPlace(address);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (kind === "ipp") return ippPlace(url);
  if (!url || !["https:", "http:"].includes(url.protocol) || !/^\/printers\/\d+$/.test(url.pathname) || url.username)
    throw BadPrinterAddress({ expected: "a URL like https://api.printnode.com/printers/70123456" });
  return { hostname: url.hostname, url };
}

/** IPP is HTTP at a port of its own. */
function ippPlace(url: URL | undefined): Place {
  const secure = url?.protocol === "ipps:";
  const http = url?.hostname && `${secure ? "https" : "http"}://${url.host}${url.pathname}`;
  if (!http || !(secure || url.protocol === "ipp:") || url.username || url.password || !URL.canParse(http))
    throw BadPrinterAddress({ expected: "a URL like ipp://192.168.10.20/ipp/print" });
  const place = new URL(http);
  if (!url.port) place.port = "631";
  return { hostname: place.hostname, url: place };
}

export interface Place {
  hostname: string;
  /** Of a raw printer. */
  port?: number;
  /** Of the others, as HTTP has it. */
  url?: URL;
}

function rawPlace(address: string): Place {
  const [, host = "", port] = /^([\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?$/.exec(address) ?? [];
  const number = Number(port ?? 9100);
  if (!host || !URL.canParse(`http://${host}`) || number < 1 || number > 65_535)
    throw BadPrinterAddress({ expected: "a host and a port, like 192.168.10.20:9100" });
  return { hostname: new URL(`http://${host}`).hostname, port: number };
}

/** Whether networks, in CIDR notation, may hold a printer at this address. */
export function mayHoldPrinter(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (METADATA.includes(ip.toString()) || NO_PRINTER.includes(ip.range())) return false;
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === ip.kind() && ip.match(base, bits);
  });
}

/** The addresses of a printer; throws `DestinationRefused` where one of them is not allowed. */
export async function printerAddresses(
  kind: PrinterKind,
  { hostname, url }: Place,
  networks: readonly string[],
): Promise<Address[]> {
  const found = await resolveChecked(hostname, { allowInternal: true });
  // An API key is sent to a service, and so only encrypted over the public internet.
  const onInternet = kind === "printnode" && url?.protocol === "https:";
  const refused = found.find(({ address }) => !mayHoldPrinter(address, networks) && !(onInternet && isPublic(address)));
  if (refused) throw new DestinationRefused(`${refused.address} is in no network that printers may be in`);
  return found;
}
