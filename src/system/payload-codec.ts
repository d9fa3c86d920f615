import { fileURLToPath } from "node:url";
import type { DataConverter, Payload, PayloadCodec } from "@temporalio/common";
import proto from "@temporalio/proto";
import { CannotUnseal, decrypted, type EncryptionKeys, encrypted, keyId } from "../auth/sealed.js";

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;
const ENCODING = "encoding";
const ENCRYPTED = Buffer.from("binary/encrypted");
const KEY_ID = "encryption-key-id";
/** The owner of each: so no sealed text of the database can be passed off as a payload, nor the other way round. */
const OWNER = "payload of a workflow";

/** Whether what workflows are given and answer is encrypted, and under which keys. */
export type PayloadEncryption = EncryptionKeys & { encryptWorkflows: boolean };

/**
 * Encrypts payloads on their way to Temporal under the current key, where that is switched on; reads those under any
 * known key and those that were not encrypted in either case, so that it can be switched at any time.
 */
export const payloadCodec = (config: PayloadEncryption): PayloadCodec => ({
  encode: async (payloads) =>
    config.encryptWorkflows ? payloads.map((payload) => encryptedPayload(payload, config)) : payloads,
  decode: async (payloads) => payloads.map((payload) => readablePayload(payload, config)),
});

function encryptedPayload(payload: Payload, { encryptionKey }: EncryptionKeys): Payload {
  const bytes = PayloadMessage.encode(payload).finish();
  const metadata = { [ENCODING]: ENCRYPTED, [KEY_ID]: Buffer.from(keyId(encryptionKey)) };
  return { metadata, data: encrypted(bytes, encryptionKey, OWNER) };
}

function readablePayload(payload: Payload, { encryptionKey, encryptionKeysPrevious }: EncryptionKeys): Payload {
  if (!payload.metadata || textOf(payload.metadata[ENCODING]) !== `${ENCRYPTED}`) return payload;
  const id = textOf(payload.metadata[KEY_ID]);
  const key = [encryptionKey, ...encryptionKeysPrevious].find((known) => keyId(known) === id);
  if (!key) throw new CannotUnseal(`a payload is encrypted under the key ${id}, which is unknown here`);
  const bytes = decrypted(payload.data ?? new Uint8Array(), key, OWNER);
  if (!bytes) throw new CannotUnseal(`a payload is encrypted under the key ${id}, but was altered`);
  return PayloadMessage.decode(bytes);
}

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString("utf8");

/** The payload as it was before it was encrypted; as it is where that cannot be read. */
export function decodedIfReadable(payload: Payload, keys: EncryptionKeys): Payload {
  try {
    return readablePayload(payload, keys);
  } catch (error) {
    if (!(error instanceof CannotUnseal)) throw error;
    return payload;
  }
}

/** How clients and workers convert what they exchange with Temporal. */
export const dataConverter = (config: PayloadEncryption): DataConverter => ({
  payloadCodecs: [payloadCodec(config)],
  ...(config.encryptWorkflows && {
    failureConverterPath: fileURLToPath(new URL("./encoded-failures.js", import.meta.url)),
  }),
});
