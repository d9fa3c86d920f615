import { Box, Button, Code, CopyButton } from "@mantine/core";
import { t as desk } from "../texts/desk.js";

/** Text for a shell or a file, to be copied as it is; what is wider than the page scrolls, by keyboard as well. */
export const Commands = ({ title, text }: { title: string; text: string }) => (
  <Box>
    <Code block tabIndex={0} role="region" aria-label={title} style={{ overflow: "auto" }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" mt={4} onClick={copy}>
          {desk(copied ? "copied" : "copy")}
        </Button>
      )}
    </CopyButton>
  </Box>
);

/** A word of a shell, whatever is in it. */
const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const TOKEN = `TOKEN=\${TOKEN:-the-token-that-the-warehouse-gave-you}`;
const CURL = `curl -sS --fail-with-body -H "X-WMS-Token: $TOKEN"`;
const JSON_CURL = `${CURL} -H 'Content-Type: application/json'`;

/** Reads all events that the token may see, from the first one on. */
export const readingAll = () => `${TOKEN}
${CURL} ${word(`${location.origin}/api/v1/events?after=0&limit=500`)}`;

/** Reads what comes after a group's cursor, and then moves the cursor behind it. */
export const readingAs = (group: string) => `${TOKEN}
${CURL} \\
  ${word(`${location.origin}/api/v1/events?consumer_group=${encodeURIComponent(group)}&limit=500`)} > events.json
cat events.json
CURSOR=$(grep -o '"next_cursor":[0-9]*' events.json | tail -1 | cut -d: -f2)
${JSON_CURL} \\
  -d ${word(`{"consumer_group":${JSON.stringify(group)},"cursor":`)}"$CURSOR"'}' \\
  ${word(`${location.origin}/api/v1/events/ack`)}`;

/** Pushes a record. */
export const pushing = (resource: string, record: object) => `${TOKEN}
${JSON_CURL} \\
  -d ${word(JSON.stringify(record))} \\
  ${word(`${location.origin}/api/v1/inbound/${resource}`)}`;

/** A whole receiver for Node, which says of each request whether it is genuine: docs/webhooks.md. */
export const RECEIVER = `// WEBHOOK_KEYS=whsec_… PORT=9000 node receiver.mjs
import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { createServer } from "node:http";

// Secrets (whsec_…) and public keys (whpk_…), with commas between them
const keys = (process.env.WEBHOOK_KEYS ?? "").split(",").filter(Boolean);

function isGenuine(headers, body) {
  const sent = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= 300)) return false;
  const signed = Buffer.concat([Buffer.from(\`\${headers["webhook-id"]}.\${sent}.\`), body]);
  const signatures = String(headers["webhook-signature"]).split(" ");
  return keys.some((text) => {
    const key = Buffer.from(text.replace(/^wh(sec|pk)_/, ""), "base64");
    if (text.startsWith("whpk_")) {
      const jwk = { kty: "OKP", crv: "Ed25519", x: key.toString("base64url") };
      const publicKey = createPublicKey({ key: jwk, format: "jwk" });
      return signatures.some(
        (one) => one.startsWith("v1a,") && verify(null, signed, publicKey, Buffer.from(one.slice(4), "base64")),
      );
    }
    const right = Buffer.from(\`v1,\${createHmac("sha256", key).update(signed).digest("base64")}\`);
    return signatures
      .map((one) => Buffer.from(one))
      .some((one) => one.length === right.length && timingSafeEqual(one, right));
  });
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts); // the bytes as they came
  const genuine = isGenuine(request.headers, body);
  console.log(genuine ? "genuine" : "REFUSED", body.toString());
  response.writeHead(genuine ? 204 : 401).end(); // 2xx once it is stored
}).listen(Number(process.env.PORT ?? 9000));
`;
