import type { Request } from "express";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { CsrfInvalid, LogoutTokenInvalid, TooManyRequests } from "../../src/auth/problems.js";
import { DomainError } from "../../src/platform/problem.js";
import { sharedLimit } from "./shared-limit.js";

/**
 * The address that a request is counted under. For IPv6 it is the /64 network, which usually belongs to one customer;
 * an IPv4 address that is mapped into IPv6 counts as IPv4.
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
  /** Throws the refusal when the limit is reached, before a credential is looked up in the database. */
  check(req: Request): void;
  /** Runs the authentication of a request, and counts the request if that fails. */
  countFailure<T>(req: Request, authenticate: () => Promise<T>): Promise<T>;
  /** As `check`, but not for an address that signed a body within a day: what else it sends may be signed too. */
  checkSender(req: Request): void;
  /** Notes that the body of the request was signed. */
  noteSigned(req: Request): void;
}

/** How many signing addresses a process remembers, and for how long. */
const SIGNERS = { max: 10_000, ttl: 24 * 3_600_000 };

/**
 * Limits the requests a minute without a valid credential, for each address; 0 = no limit. Requests with a valid
 * credential are neither counted nor refused, so that nobody behind a warehouse's address can stop its work.
 */
export function addressLimit(perMinute: number): AddressLimit {
  const limit = sharedLimit("address", perMinute, TooManyRequests);
  const signers = new LRUCache<string, true>(SIGNERS);
  return {
    count: async (req) => void (await limit.take(addressOf(req))),
    check: (req) => limit.check(addressOf(req)),
    async countFailure(req, authenticate) {
      try {
        return await authenticate();
      } catch (error) {
        if (isUnauthenticated(error)) await limit.take(addressOf(req));
        throw error;
      }
    },
    checkSender(req) {
      const address = addressOf(req);
      if (!signers.has(address)) limit.check(address);
    },
    noteSigned: (req) => void signers.set(addressOf(req), true),
  };
}

const isUnauthenticated = (error: unknown) =>
  error instanceof DomainError && (error.status === 401 || uncredited.has(error.kind));
/** Of requests without a valid credential, though their status is another. */
const uncredited = new Set([CsrfInvalid.kind, LogoutTokenInvalid.kind]);
