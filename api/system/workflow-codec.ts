import type { Payload } from "@temporalio/common";
import { z } from "zod";
import { log } from "../../src/platform/log.js";
import { decodedIfReadable } from "../../src/system/payload-codec.js";
import type { AppOptions } from "../http/options.js";
import { admin, recordsLimit, route } from "../http/route.js";

/**
 * The codec server of the Temporal UI (docs/operations.md, Encrypted workflows): decodes what workflows were given and
 * answer, for an ADMIN, as a history knows no warehouses. Its protocol is Temporal's, so it is no operation of the
 * interface.
 */

/** As protobuf has a payload in JSON: bytes in base64. */
const JsonPayload = z.object({ metadata: z.record(z.string(), z.string()).default({}), data: z.string().default("") });
const Payloads = z.object({ payloads: z.array(JsonPayload) });

const bytesOf = (base64: string) => Buffer.from(base64, "base64");
const base64Of = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString("base64");

function fromJson({ metadata, data }: z.infer<typeof JsonPayload>): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, bytesOf(value)]);
  return { metadata: Object.fromEntries(entries), data: bytesOf(data) };
}

function toJson({ metadata, data }: Payload): z.infer<typeof JsonPayload> {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64Of(value)]);
  return { metadata: Object.fromEntries(entries), data: base64Of(data) };
}

/** The only origin whose pages may ask. */
export const originOfUi = ({ temporalUiUrl }: AppOptions): string | undefined =>
  temporalUiUrl && new URL(temporalUiUrl).origin;

export const decodePayloads = route("post /api/workflows/codec/decode", {
  for: admin,
  summary: "Decodes payloads of workflows for the Temporal UI",
  body: Payloads,
  bodyLimit: recordsLimit,
  changesNothing: true,
  calledFrom: originOfUi,
  answers: { 200: Payloads },
  run: ({ body, by, options }) => {
    log.info({ username: by.username, payloads: body.payloads.length }, "payloads of workflows are decoded");
    return { payloads: body.payloads.map((payload) => toJson(decodedIfReadable(fromJson(payload), options))) };
  },
});
