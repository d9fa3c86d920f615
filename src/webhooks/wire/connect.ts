import { isIP, type LookupFunction, connect as openTcp } from "node:net";
import { connect as openTls } from "node:tls";
import type { buildConnector } from "undici";
import type { Address } from "./addresses.js";
import { Failure } from "./failure.js";

export interface Connecting {
  connectTimeoutMs: number;
  /** Authorities to trust instead of those that Node knows. */
  ca?: string | undefined;
}

/**
 * Opens connections to addresses that were checked, and to no other, whatever the host's name leads to by now. The certificate is held
 * against the name.
 */
export function connectorTo(
  addresses: Address[],
  { connectTimeoutMs, ca }: Connecting,
): buildConnector.connector {
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
      autoSelectFamilyAttemptTimeout: Math.max(
        10,
        Math.floor(connectTimeoutMs / addresses.length),
      ),
    };
    const servername = isIP(host) ? "" : host;
    const ALPNProtocols = ["http/1.1"];
    const socket = secure
      ? openTls({ ...to, servername, ca, ALPNProtocols })
      : openTcp(to);

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
      if (stage === "open") return; // The client hears of it too.
      const plain = stage === "connecting" || error instanceof Failure;
      callback(
        plain ? error : new Failure("tls", `TLS failed (${error.code})`),
        null,
      );
    });
  };
}
