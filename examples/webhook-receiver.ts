import { createServer } from "node:http";
import { verifyWebhook } from "./verify-webhook.js";

// A receiver to begin with: WEBHOOK_SECRETS=whsec_… PORT=9000 node dist/examples/webhook-receiver.js

const secrets = (process.env.WEBHOOK_SECRETS ?? "").split(",");
/** Yours: a table whose key is event_id, so that what comes twice is stored once. */
const stored = new Map<number, unknown>();

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!verifyWebhook(request.headers, body, secrets)) {
    console.log("refused: not signed with our secret");
    response.writeHead(401).end();
    return;
  }
  // One event, or the array of a batch.
  for (const event of [JSON.parse(body.toString("utf8"))].flat())
    if (event.event_type === "webhook.test") console.log("verified: a test, which is not stored");
    else if (!stored.has(event.event_id)) {
      stored.set(event.event_id, event);
      console.log(`verified: ${event.event_id} ${event.event_type}`);
    }
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 9000), "127.0.0.1");
