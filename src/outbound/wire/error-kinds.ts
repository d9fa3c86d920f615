/** Why an attempt failed (docs/interface.md, Webhooks), explained for those who have to fix it. */
export const errorKinds = {
  timeout: {
    short_message: "No answer in time",
    description:
      "The destination did not accept the connection or did not finish its answer within the time of one attempt.",
    triage_hint: "Answer 2xx as soon as the event is stored and work on it afterwards; look at the destination's load.",
  },
  connection: {
    short_message: "No connection",
    description: "The host name could not be resolved, the connection was refused, or it broke off before the answer.",
    triage_hint:
      "Check that the host name resolves, that the destination is up, and that its firewall lets this service in.",
  },
  tls: {
    short_message: "TLS failed",
    description: "The destination's certificate could not be verified, or no common TLS version was found.",
    triage_hint: "Check that the certificate is not expired, names the host of the URL and comes with its whole chain.",
  },
  ssrf_rejected: {
    short_message: "Destination refused",
    description: "The host name leads to an address that is not on the public internet; nothing was sent.",
    triage_hint: "Have the partner give a public address, or correct the DNS entry of the host.",
  },
  redirected: {
    short_message: "Redirected",
    description: "The destination answered with a redirect (3xx); redirects are not followed.",
    triage_hint: "Change the delivery URL to the final address.",
  },
  "4xx": {
    short_message: "Refused by the destination",
    description: "The destination answered with a status from 400 to 499.",
    triage_hint:
      "401 and 403: its signature check or an outdated secret. 404: the path of the URL. 429: lower " +
      "rate_limit_per_second.",
  },
  "5xx": {
    short_message: "Error at the destination",
    description: "The destination answered with a status from 500 on, or announced an answer that is too large.",
    triage_hint: "Ask the partner for the log of that moment.",
  },
  unknown: {
    short_message: "Failed for another reason",
    description: "The event is gone, the subscription was revoked, or something happened that has no kind of its own.",
    triage_hint: "Read error_detail; then the log of the worker.",
  },
} as const;

export type ErrorKind = keyof typeof errorKinds;

/** Why an attempt failed; the detail never contains what the partner sent. */
export class Failure extends Error {
  override name = "Failure";
  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** A kind of failure and its HTTP status, `5xx 500`, for people: `Error at the destination (HTTP 500)`. */
export function readableFailure(failure: string | null | undefined): string | undefined {
  if (!failure) return undefined;
  const [kind, status] = failure.split(" ");
  const known = errorKinds[kind as ErrorKind];
  return known ? `${known.short_message}${status ? ` (HTTP ${status})` : ""}` : failure;
}
