import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { verifyWebhook as verifiedByClient } from "../../client/src/webhooks.js";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { newSigningKey } from "../../src/outbound/wire/signing-keys.js";
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

const [KEY, OLD_KEY, OTHER_KEY] = [newSigningKey(), newSigningKey(), newSigningKey()];
const withKeys = signed(envelope(), [SECRET], NOW, [KEY.secret_key, OLD_KEY.secret_key]);
const publicKeys = (...keys: (typeof KEY)[]) => ({ secrets: keys.map(({ public_key }) => public_key) });
/** What somebody can sign who knows the public key, as everybody may: by HMAC, as if it were a secret. */
const signedWithPublicKey = signed(envelope(), [KEY.public_key], NOW);

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
  "by its public key": genuine({ ...withKeys, ...publicKeys(KEY) }),
  "by the public key before a rotation": genuine({ ...withKeys, ...publicKeys(OLD_KEY) }),
  "by a public key beside a secret that did not sign": genuine({ ...withKeys, secrets: [OTHER, KEY.public_key] }),
  "by a public key beside another one": genuine({ ...withKeys, ...publicKeys(OTHER_KEY, KEY) }),
  "another public key": forged({ ...withKeys, ...publicKeys(OTHER_KEY) }),
  "a public key where no key signed": forged(publicKeys(KEY)),
  "a public key that somebody signed with": forged({ ...signedWithPublicKey, ...publicKeys(KEY) }),
  "a public key that is none": forged({ ...withKeys, secrets: ["whpk_", "whpk_AAAA"] }),
  "another body, by its public key": forged({ ...withKeys, ...publicKeys(KEY), body: flipped }),
  "301 s old, by its public key": forged({ ...withKeys, ...publicKeys(KEY), now: NOW + 301 }),
  "another time, by its public key": forged({
    ...{ ...withKeys, ...publicKeys(KEY) },
    ...saying({ "X-Service-Timestamp": `${NOW + 1}` }, withKeys),
  }),
  "a signature of a key cut short": forged({
    ...{ ...withKeys, ...publicKeys(OLD_KEY) },
    ...saying({ "webhook-signature": `${withKeys.headers["webhook-signature"]}`.slice(0, -1) }, withKeys),
  }),
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
import base64, importlib.util, json, sys
from email.message import Message
from verify_webhook import verify_webhook

def believed(case):
    headers = Message()
    for name, value in case["headers"].items():
        headers[name] = value
    return verify_webhook(headers, base64.b64decode(case["body"]), case["secrets"], case["now"])

def answer(case):
    try:
        return believed(case)
    except RuntimeError as error:
        return str(error)

cases = json.load(sys.stdin).items()
is_there = importlib.util.find_spec("cryptography")
sys.modules["cryptography"] = None
without = {name: answer(case) for name, case in cases}
del sys.modules["cryptography"]
print(json.dumps({"without": without, "answers": is_there and {name: answer(case) for name, case in cases}}))
`;
    const input = JSON.stringify(cases, (_key, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("base64") : value,
    );
    const env = { PATH: process.env.PATH, PYTHONPATH: "examples", PYTHONDONTWRITEBYTECODE: "1" };
    const run = spawnSync("python3", ["-c", program], { input, env });
    if (run.error) this.skip(); // No Python here.
    assert.equal(run.stderr.toString(), "");
    const { answers, without } = JSON.parse(run.stdout.toString());
    // A machine without the package tells the rest.
    if (answers)
      assert.deepEqual(
        names((_given, name) => answers[name] === true),
        allGenuine,
      );
    for (const [name, { secrets, genuine }] of Object.entries(cases)) {
      const isAsked = secrets.some((key) => key.startsWith("whpk_"));
      if (!isAsked) assert.equal(without[name], genuine, name);
      else if (!name.includes("301 s")) assert.match(without[name], /pip install cryptography/, name);
    }
  });
});
