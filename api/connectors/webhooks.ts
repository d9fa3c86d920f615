import type { Request } from "express";
import { z } from "zod";
import { writeReceived } from "../../activities/connectors/received.js";
import type { EncryptionKeys } from "../../src/auth/sealed.js";
import type { Connector, ReceivedWebhook } from "../../src/connectors/connector.js";
import { cleaned } from "../../src/connectors/http/clean.js";
import { WebhookNotSigned } from "../../src/connectors/problems.js";
import { connectorOf } from "../../src/connectors/registry.js";
import { ConnectorName } from "../../src/connectors/shapes.js";
import { ConfigFault, checkedConfig, storedConfig } from "../../src/connectors/stored-config.js";
import { singleFlight } from "../../src/platform/concurrency/ttl-cache.js";
import * as field from "../../src/platform/fields/index.js";
import { log } from "../../src/platform/log.js";
import { readBytes } from "../http/json-body.js";
import { open, route } from "../http/route.js";
import { lacksSecret, receiveSigned, textsOf } from "../http/signed-webhook.js";

/** Shops send whole orders and products. */
const MAX_KB = 1024;
const PING_KB = 1;

/**
 * Webhooks of the sources that connectors read. They come without a credential: the connector verifies the signature of
 * the body before it reads anything of it, and a body that cannot have a valid signature is not even received. Sources
 * stop sending to an address that answers errors, so a refused record is no error: the next sync tries it again.
 */
export const receiveConnectorWebhook = route("post /api/v1/connectors/:name/:warehouse_id/webhooks", {
  for: open,
  summary: "Takes a webhook of a connector's source, which has signed it",
  params: z.strictObject({
    name: ConnectorName.describe("Name of the connector."),
    warehouse_id: field.WarehouseIdParam,
  }),
  signedBody: true,
  bodyLimit: { kb: MAX_KB, values: Number.POSITIVE_INFINITY },
  answers: {
    200: z.strictObject({
      received: z
        .int()
        .nonnegative()
        .meta({ description: "How many records the webhook had.", examples: [1] }),
    }),
  },
  errors: [WebhookNotSigned],
  run: async ({ params: { name, warehouse_id }, req, res, options }) => {
    const connector = connectorOf(name);
    if (connector?.isPing && isForm(req)) {
      const body = await readBytes(req, res, PING_KB);
      if (!connector.isPing({ headers: textsOf(req.headers), body })) throw WebhookNotSigned();
      res.locals.isPing = true;
      return { received: 0 };
    }
    const config = connector?.receive && (await configFor(connector, warehouse_id, options));
    if (!config || lacksSecret(connector, config)) throw WebhookNotSigned();
    const records = await receiveSigned({ req, res, kb: MAX_KB }, name, (webhook) =>
      recordsIn(connector, config, webhook),
    );
    await writeReceived(connector, warehouse_id, records, options);
    return { received: records.length };
  },
});

/** Webhooks are JSON. */
const isForm = ({ headers }: Pick<Request, "headers">): boolean =>
  headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;

/** Concurrent requests use one query, so that many unsigned requests cost little. */
const reading = singleFlight<Record<string, string>>();

/** The configuration of the connector for the warehouse; undefined where there is none, or it is unusable. */
async function configFor(connector: Connector, warehouseId: number, keys: EncryptionKeys) {
  const { name } = connector;
  try {
    const stored = await reading(`${name} ${warehouseId}`, () => storedConfig(name, warehouseId, keys));
    return Object.keys(stored).length > 0 ? checkedConfig(connector, stored) : undefined;
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    log.warn({ connector: name, warehouseId, reason: error.message }, "a webhook found no usable credentials");
    return undefined;
  }
}

function recordsIn(connector: Connector, config: object, webhook: ReceivedWebhook) {
  const secrets = Object.values(config).filter((value) => typeof value === "string");
  return (connector.receive?.(config as never, webhook) ?? []).map(({ unreadable, ...record }) =>
    unreadable === undefined ? record : { ...record, unreadable: cleaned(unreadable, secrets) },
  );
}
