import type { IncomingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import { failsAlone } from "../../src/connectors/alone.js";
import {
  type ConfigSchema,
  type ReceivedWebhook,
  SourceError,
  WebhookRefused,
} from "../../src/connectors/connector.js";
import { WebhookNotSigned } from "../../src/connectors/problems.js";
import { log } from "../../src/platform/log.js";
import { readBytes } from "./json-body.js";

/** Webhooks of services that sign what they send: shops, and carriers. */

/** Whether the configuration has a field for the signing secret of webhooks that is not set. */
export const lacksSecret = (
  { config: { shape } }: { config: ConfigSchema },
  config: Record<string, unknown>,
): boolean => "webhook_secret" in shape && config.webhook_secret === undefined;

/**
 * Receives a webhook and reads its records. One that is not signed is refused, and counts against its address. One that
 * is signed and cannot be read is noted in the log: its sender would send the same again.
 */
export async function receiveSigned<R>(
  { req, res, kb }: { req: Request; res: Response; kb: number },
  sender: string,
  read: (webhook: ReceivedWebhook) => R[],
): Promise<R[]> {
  const body = await readBytes(req, res, kb);
  const records = recordsIn({ headers: textsOf(req.headers), body }, sender, read);
  // A webhook without records need not be signed.
  res.locals.isSigned = records.length > 0;
  return records;
}

function recordsIn<R>(webhook: ReceivedWebhook, sender: string, read: (webhook: ReceivedWebhook) => R[]): R[] {
  try {
    return read(webhook);
  } catch (error) {
    if (error instanceof WebhookRefused) throw WebhookNotSigned();
    if (!(error instanceof SourceError || failsAlone(error))) throw error;
    log.warn({ sender, reason: (error as Error).message }, "a signed webhook could not be read");
    return [];
  }
}

/** The headers of a request, each as one text. */
export const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]));
