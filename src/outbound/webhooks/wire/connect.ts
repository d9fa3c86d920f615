import { isIP, type LookupFunction, connect as openTcp } from "node:net";
import { connect as openTls } from "node:tls";
import type { buildConnector } from "undici";
import { canonicalHost } from "../canonical-url.js";
import type { Address } from "./addresses.js";
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
export function connectorTo(addresses: Address[], { connectTimeoutMs, ca }: Connecting): buildConnector.connector {
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
