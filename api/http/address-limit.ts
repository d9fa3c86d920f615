import type { Request } from "express";
import ipaddr from "ipaddr.js";
import { CsrfInvalid, TooManyRequests } from "../../src/auth/problems.js";
import { DomainError } from "../../src/problem.js";
import { sharedLimit } from "./shared-limit.js";

/**
 * The address that a request is counted under: of IPv6 the /64 network, which one customer usually has as a whole; an
 * IPv4 address in the same form, also where it is mapped into IPv6.
 */
export function addressOf({ ip = "" }: Pick<Request, "ip">): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64);
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = [...address.parts.slice(0, 4), 0, 0, 0, 0];
  return `${new ipaddr.IPv6(network)}/64`;
}

/** The rate limit of an address for requests without a valid credential. */
export interface AddressLimit {
  /** Counts a request to an open route. */
  count(req: Request): Promise<void>;
  /** Throws the refusal where nothing is left, before a credential that is not known to be valid costs a query. */
  check(req: Request): void;
  /** Runs the authentication of a request; one that fails is counted. */
  failing<T>(req: Request, authenticate: () => Promise<T>): Promise<T>;
}

/**
 * So many requests a minute without a valid credential, for each address; 0 = no limit. Requests with one are neither
 * counted nor refused: others behind the same address must not stop a warehouse from working.
 */
export function addressLimit(perMinute: number): AddressLimit {
  const limit = sharedLimit("address", perMinute, TooManyRequests);
  return {
    count: (req) => limit.take(addressOf(req)),
    check: (req) => limit.check(addressOf(req)),
    async failing(req, authenticate) {
      try {
        return await authenticate();
      } catch (error) {
        if (isUnauthenticated(error)) await limit.take(addressOf(req));
        throw error;
      }
    },
  };
}

const isUnauthenticated = (error: unknown) =>
  error instanceof DomainError && (error.status === 401 || error.kind === CsrfInvalid.kind);
