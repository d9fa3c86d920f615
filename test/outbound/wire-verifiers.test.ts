import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { verifyWebhook as verifiedByClient } from "../../client/src/webhooks.js";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { envelope, OLD_SECRET, SECRET, signed } from "../support/wire.js";

/** A request to a partner who holds some secrets, and whether to believe it. */
interface Case {
  headers: Record<string, string>;
  body: Buffer;
  secrets: string[];
  now: number;
  genuine: boolean;
}

const NOW = 1_780_000_000;
const OTHER = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const sent = signed(envelope(), [SECRET], NOW);
const rotated = signed(envelope(), [SECRET, OLD_SECRET], NOW);
const snowman = signed(envelope({ data: { "☃": "🧀\ud800" } }), [SECRET], NOW);
const flipped = Buffer.from(sent.body);
flipped[20] = (flipped[20] as number) ^ 1;

const genuine = (of = {}): Case => ({ ...sent, secrets: [SECRET], now: NOW, genuine: true, ...of });
const forged = (of: object) => genuine({ genuine: false, ...of });
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !names.includes(name)));
const saying = (changed: Record<string, string>, { headers } = sent) => ({ headers: { ...headers, ...changed } });
const SIGNATURES = ["X-Service-Signature", "webhook-signature"];

const cases: Record<string, Case> = {
  "as it was sent": genuine(),
  "of text beyond ASCII": genuine(snowman),
  "held by both secrets of a rotation": genuine({ secrets: [OTHER, SECRET] }),
  "by our own signature alone": genuine({ headers: without("webhook-signature", "webhook-id") }),
  "by that of Standard Webhooks alone": genuine({ headers: without("X-Service-Signature") }),
  "after a rotation, by the new secret": genuine(rotated),
  "after a rotation, by the old secret": genuine({ ...rotated, secrets: [OLD_SECRET] }),
  "by a clock 300 s behind": genuine({ now: NOW + 300 }),
  "by a clock 300 s ahead": genuine({ now: NOW - 300 }),
  "301 s old": forged({ now: NOW + 301 }),
  "301 s from the future": forged({ now: NOW - 301 }),
  "another bit in the body": forged({ body: flipped }),
  "one byte more": forged({ body: Buffer.from(`${sent.body} `) }),
  "the same JSON written otherwise": forged({ body: Buffer.from(JSON.stringify(envelope())) }),
  "no body": forged({ body: Buffer.alloc(0) }),
  "another time": forged(saying({ "X-Service-Timestamp": `${NOW + 1}`, "webhook-timestamp": "1" })),
  "another secret": forged({ secrets: [OTHER] }),
  "the old secret, when only the new one signed": forged({ secrets: [OLD_SECRET] }),
  "no secret": forged({ secrets: [] }),
  "no signature": forged({ headers: without(...SIGNATURES) }),
  "no time": forged({ headers: without("X-Service-Timestamp") }),
  "no headers": forged({ headers: {} }),
  "a time that is no number": forged(saying({ "X-Service-Timestamp": "1e9" })),
  "empty signatures": forged(saying({ "X-Service-Signature": "", "webhook-signature": "" })),
  "signatures without their scheme": forged(
    saying({
      "X-Service-Signature": `${sent.headers["X-Service-Signature"]}`.slice(7),
      "webhook-signature": `${sent.headers["webhook-signature"]}`.slice(3),
    }),
  ),
  "signatures cut short": forged(
    saying({
      "X-Service-Signature": `${sent.headers["X-Service-Signature"]}`.slice(0, -1),
      "webhook-signature": `${sent.headers["webhook-signature"]}`.slice(0, -1),
    }),
  ),
  "signatures beyond ASCII": forged(saying({ "X-Service-Signature": "é", "webhook-signature": "é" })),
  "signatures of another event": forged({ ...sent, headers: snowman.headers }),
};

const names = (ofThose: (given: Case, name: string) => boolean): string[] =>
  Object.entries(cases)
    .filter(([name, given]) => ofThose(given, name))
    .map(([name]) => name);
const allGenuine = names(({ genuine }) => genuine);

describe("the verifiers for partners", () => {
  it("in TypeScript believe what was sent, and nothing else", () => {
    const believed = names(({ headers, body, secrets, now }) => {
      const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      return verifyWebhook(lowerCase, body, secrets, now);
    });
    assert.deepEqual(believed, allGenuine);
  });

  it("in the client believe the same, of headers as Node and as fetch have them", async () => {
    for (const asHeaders of [
      (headers: Record<string, string>) => headers,
      (headers: Record<string, string>) => new Headers(headers),
    ]) {
      const answers = new Map<string, boolean>();
      for (const [name, { headers, body, secrets, now }] of Object.entries(cases)) {
        // Headers of fetch take Latin letters alone.
        answers.set(name, await verifiedByClient(asHeaders(headers), body, secrets, now));
      }
      assert.deepEqual(
        names((_given, name) => answers.get(name) === true),
        allGenuine,
      );
    }
    const { headers, body } = genuine();
    for (const secret of ["", "whsec_", "whsec_not base64", "plain"])
      assert.equal(await verifiedByClient(headers, body, [secret], NOW), false);
  });

  it("in Python believe what was sent, and nothing else", function () {
    const program = `
import base64, json, sys
from email.message import Message
from verify_webhook import verify_webhook

def believed(case):
    headers = Message()
    for name, value in case["headers"].items():
        headers[name] = value
    return verify_webhook(headers, base64.b64decode(case["body"]), case["secrets"], case["now"])

print(json.dumps({name: believed(case) for name, case in json.load(sys.stdin).items()}))
`;
    const input = JSON.stringify(cases, (_key, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("base64") : value,
    );
    const env = { PATH: process.env.PATH, PYTHONPATH: "examples", PYTHONDONTWRITEBYTECODE: "1" };
    const run = spawnSync("python3", ["-c", program], { input, env });
    if (run.error) this.skip(); // No Python here.
    assert.equal(run.stderr.toString(), "");
    const answers = JSON.parse(run.stdout.toString());
    assert.deepEqual(
      names((_given, name) => answers[name]),
      allGenuine,
    );
  });
});
