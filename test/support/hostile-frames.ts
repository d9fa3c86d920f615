import type { OutgoingHttpHeaders } from "node:http";
import { gzipSync } from "node:zlib";
import { bodyLimitOf, takesToken } from "../../api/http/route.js";
import { BODY_LIMITS, bodyOf, call, type Entry, type HostileCall } from "./hostile-call.js";
import * as odd from "./hostile-values.js";

/** What is around the fields of a request: its headers, and its body as a whole. */

const takesBody = ({ route }: Entry) => route.method !== "get";

/** Bodies that are too large, too deep, too many values, or no JSON. Most is refused before the route is asked. */
export function bodies(entry: Entry): HostileCall[] {
  if (!takesBody(entry)) return [];
  const inbound = entry.route.for.kind === "inbound";
  const { kb, values } = bodyLimitOf(entry.route, BODY_LIMITS);
  // No body is read that nobody can have signed; nor where nobody can, as no identity provider is set up.
  const ofProvider = entry.name === "post /api/auth/oidc/backchannel-logout";
  const unread = entry.route.signedBody ? (ofProvider ? 404 : 401) : undefined;
  const unsound = { status: inbound || entry.route.for.kind === "dispatch" ? 422 : (unread ?? 400) };
  const tooLarge = { status: unread ?? 413 };
  const large = `{"x":"${"x".repeat(kb * 1024)}"}`;
  const zeros = `[${"0,".repeat(Math.min(values, kb * 512 - 8))}0]`;
  const deep = `{"x":${"[".repeat(70)}${"]".repeat(70)}}`;
  const wide = Array.from({ length: 5_001 }, (_, i) => `"${i}":1`);
  const refused = [
    call(entry, "too large", { body: large }, tooLarge),
    call(entry, "too deep", { body: deep }, unsound),
    call(entry, "bottomless", { body: '{"x":'.repeat(2_000) }, unsound),
    ...odd.broken.map((body) => call(entry, "no JSON", { body }, unsound)),
    call(entry, "no UTF-8", { body: Buffer.from([0xff, 0xfe, 0x7b]) }, unsound),
    call(entry, "too many values", { body: zeros }, { legal: !entry.route.body }),
    ...(inbound ? [] : [call(entry, "too many fields", { body: `{${wide}}` }, unsound)]),
    call(entry, "unpacked too large", { body: gzipSync(large), headers: { "content-encoding": "gzip" } }, tooLarge),
  ];
  if (!entry.route.body) return refused;
  const { allows } = bodyOf(entry);
  const shapes = [...odd.shapes, "null"].map((body) => call(entry, body, { body }, { legal: allows(body) }));
  return [...refused, ...shapes];
}

const LATIN = "\u00e9\u00ff";
/** Headers that say nothing: whatever they hold, the request is as good as without them. */
const idle: OutgoingHttpHeaders[] = [
  {
    ...{ "x-request-id": "", cookie: "=", accept: "", origin: "null" },
    ...{ "x-forwarded-for": "", "content-type": "application/json;" },
  },
  {
    ...{ "x-request-id": LATIN, cookie: LATIN, accept: LATIN, origin: LATIN },
    ...{ "x-forwarded-for": LATIN, "x-http-method-override": "DELETE" },
    "content-type": "APPLICATION/JSON ; charset=UTF-8",
  },
  {
    "x-request-id": ["not a uuid", "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e"],
    cookie: "service_auth=a; service_auth=b; __proto__=1; constructor=1",
    ...{ "x-forwarded-for": "1.2.3.4, ".repeat(500), expect: "100-continue" },
    "content-type": `application/json; x=${"y".repeat(2_000)}`,
  },
  {
    "x-request-id": "0".repeat(4_000),
    cookie: `;;;=; service_csrf; service_auth=%E0%A4%A${"x".repeat(4_000)}`,
    origin: "http://localhost:3000.evil.example",
  },
];

/** Headers that say nothing, too much, or something else than they should. */
export function headers(entry: Entry): HostileCall[] {
  const { kind } = entry.route.for;
  const legal = { legal: true };
  const refused = (by: boolean, status: number) => (by ? { status } : legal);
  const each = (name: string, list: OutgoingHttpHeaders[string][], expected: Pick<HostileCall, "status" | "legal">) =>
    list.map((value) => call(entry, `${name}: ${value}`, { headers: { [name]: value } }, expected));
  const byToken = takesToken(entry.route);
  const byUser = !byToken && kind !== "open";
  const hasBody = entry.route.body !== undefined;
  return [
    ...idle.map((headers, i) => call(entry, `idle ${i}`, { headers }, legal)),
    ...each("idempotency-key", ["", LATIN, "k".repeat(256), ["a", "b"], "a\tb"], legal),
    ...each(
      "authorization",
      [
        ...["Bearer", "Bearer a.b.c", "Basic YWRtaW46YWRtaW4=", LATIN],
        "Bearer eyJhbGciOiJub25lIn0.eyJ1c2VyX2lkIjoxfQ.",
        `Bearer ${"x".repeat(8_000)}`,
      ],
      refused(byUser, 401),
    ),
    ...each("x-wms-token", ["", LATIN, "x".repeat(8_000), ["a", "b"]], refused(byToken && kind !== "partner", 401)),
    ...each("x-partner-session", ["", LATIN, "x".repeat(8_000), ["a", "b"]], refused(kind === "partner", 401)),
    ...each("content-encoding", ["snappy", "gzip, gzip", "__proto__"], refused(hasBody, 415)),
    ...each("content-encoding", ["gzip", "br"], { legal: !hasBody }),
    ...each(
      "content-type",
      ["", "text/html", "multipart/form-data; boundary=x", "application/json; charset=utf-7"],
      refused(hasBody, 415),
    ),
    call(entry, "names that cannot be read", { more: "%E0%A4%A=%ZZ" }, legal),
    call(entry, "1,500 names", { more: "a=1&".repeat(1_500) }, legal),
    call(entry, "names that every object has", { more: "__proto__=1&constructor=2&toString=3" }, legal),
  ];
}

/** Whole requests as text, that are hardly any. */
export function malformed(entry: Entry, known: Record<string, string>): { what: string; text: string }[] {
  const { method, path } = call(entry, "", {});
  const head = (more: string[], target = path) =>
    [
      `${method} ${target} HTTP/1.1`,
      ...["Host: 127.0.0.1", "Connection: close", "Content-Type: application/json"],
      ...Object.entries(known).map(([name, value]) => `${name}: ${value}`),
      ...more,
      ...["", ""],
    ].join("\r\n");
  const lengths = ["abc", "-1", "1e3", "99999999999999999999"];
  return [
    ...lengths.map((length) => ({
      what: `content-length ${length}`,
      text: `${head([`Content-Length: ${length}`])}{}`,
    })),
    { what: "two lengths", text: `${head(["Content-Length: 2", "Content-Length: 3"])}{}` },
    { what: "a length and chunks", text: `${head(["Content-Length: 2", "Transfer-Encoding: chunked"])}{}` },
    { what: "a chunk of no length", text: `${head(["Transfer-Encoding: chunked"])}zz\r\n{}\r\n` },
    { what: "an unknown transfer", text: `${head(["Transfer-Encoding: gzip"])}{}` },
    ...(takesBody(entry) ? [{ what: "a body that ends too soon", text: `${head(["Content-Length: 500"])}{` }] : []),
    { what: "a long header", text: head([`X-Long: ${"x".repeat(20_000)}`]) },
    { what: "many headers", text: head(Array.from({ length: 3_000 }, (_, i) => `X-${i}: 1`)) },
    { what: "a long path", text: head([], `${path}&${"x".repeat(20_000)}`) },
    { what: "NUL in a header", text: head(["X-Nul: a\0b"]) },
    { what: "a header without a name", text: head([": a"]) },
  ];
}
