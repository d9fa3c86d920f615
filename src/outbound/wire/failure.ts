import { DestinationRefused } from "./addresses.js";
import type { ErrorKind } from "./error-kinds.js";

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

type Meaning = [codes: RegExp, kind: ErrorKind, words: string];

/** The kinds of errors of sockets, resolver and HTTP client. */
const meanings: Meaning[] = [
  [/^ETIMEDOUT$/, "timeout", "No connection in time"],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, "tls", "TLS failed"],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_|EBAD)/, "connection", "The host name was not resolved"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, "connection", "No connection"],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    "connection",
    "The connection broke off",
  ],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/, "unknown", "The answer is not HTTP that we understand"],
];

const other: Meaning = [/./, "unknown", "The attempt failed"];

/** The failure that an error of an attempt stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof DestinationRefused) return new Failure("ssrf_rejected", error.message);
  const { code, name } = error as NodeJS.ErrnoException;
  const what = code ?? name;
  const [, kind, words] = meanings.find(([codes]) => codes.test(what)) ?? other;
  return new Failure(kind, `${words} (${what})`);
}

/** The failure that a status stands for; undefined for success. */
export function failureOfStatus(status: number): Failure | undefined {
  const kinds = { 3: "redirected", 4: "4xx", 5: "5xx" } as const;
  const hundred = Math.floor(status / 100);
  if (hundred === 2) return undefined;
  const kind = kinds[hundred as keyof typeof kinds] ?? "unknown";
  return new Failure(kind, `HTTP status ${status}`);
}
