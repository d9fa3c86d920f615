import { ZodError, type ZodType } from "zod";
import { storable } from "../platform/values.js";
import { SourceError, type SourceRecord } from "./connector.js";

/** What is known of a source's document without reading it. */
export type Named = Pick<SourceRecord, "resource" | "external_id" | "external_version">;

type Translated = SourceRecord[] | Promise<SourceRecord[]>;

/**
 * Translates documents one after the other. One that cannot be read, or for which the source answers an error, fails
 * alone: it becomes a refused record, which is requested again later. Errors that are not about the document are
 * thrown.
 */
export async function eachAlone<D>(
  documents: D[],
  nameOf: (document: D) => Named,
  translate: (document: D) => Translated,
): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for (const document of documents)
    try {
      records.push(...(await translate(document)));
    } catch (error) {
      records.push(unreadable(nameOf(document), document, error));
    }
  return records;
}

/** The same for the document of a webhook, whose records are known without asking the source. */
export function alone<D>(document: D, named: Named, translate: (document: D) => SourceRecord[]): SourceRecord[] {
  try {
    return translate(document);
  } catch (error) {
    return [unreadable(named, document, error)];
  }
}

function unreadable(named: Named, document: unknown, error: unknown): SourceRecord {
  if (!failsAlone(error)) throw error;
  const { name, message } = error as Error;
  return {
    ...named,
    values: {},
    payload: document as Record<string, unknown>,
    unreadable: error instanceof SourceError ? message : `unexpected answer (${name}: ${message})`,
  };
}

/** Statuses of an answer that are about the key, or about the source as a whole. */
const ofTheSource = [401, 429, 503];

/**
 * Whether an error is about one document. An error without a status comes from the network, or from the circuit
 * breaker.
 */
export function failsAlone(error: unknown): boolean {
  if (error instanceof Unreadable) return true;
  if (error instanceof SourceError) return error.status !== null && !ofTheSource.includes(error.status);
  return error instanceof TypeError || error instanceof RangeError || error instanceof ZodError;
}

/** A document of a source is not as documented. */
export class Unreadable extends SourceError {
  override name = "Unreadable";
}

/** Reads a document of a shop; one that is not as documented fails, with the name of the field. */
export const readerOf =
  (shop: string) =>
  <T>(schema: ZodType<T>, document: unknown, name: string): T => {
    const parsed = schema.safeParse(document);
    if (parsed.success) return parsed.data;
    const field = parsed.error.issues[0]?.path.join(".");
    throw new Unreadable(`${shop} sent ${name} that is not as documented${field && `: ${field}`}`);
  };

/** The id of a document and a text of it, of any type: for documents that cannot be read. */
export const namerBy =
  (timeField: string) =>
  (resource: Named["resource"]) =>
  (document: unknown): Named => {
    const { id, [timeField]: time } = (document ?? {}) as Record<string, unknown>;
    const external_id =
      typeof id === "number" || (typeof id === "string" && id !== "") ? String(id).slice(0, 128) : "?";
    const isTime = typeof time === "string" && !Number.isNaN(Date.parse(time)) && time.length <= 40;
    return { resource, external_id, external_version: isTime ? time : "1970-01-01T00:00:00Z" };
  };

const LONGEST_ID = 128;
const LONGEST_VERSION = 64;

/**
 * A record as it can be stored: one whose id or version is unusable is refused alone, under the usable part of them.
 */
export function keepable(record: SourceRecord): SourceRecord {
  const external_id = textOf(record.external_id, LONGEST_ID);
  const external_version = textOf(record.external_version, LONGEST_VERSION);
  if (external_id === record.external_id && external_version === record.external_version) return record;
  const unreadable = record.unreadable ?? "Its id or version is missing, too long, or no text that can be kept";
  return { ...record, external_id, external_version, values: {}, unreadable };
}

/** The storable part of a text: cut to the limit, and "?" for none. */
export const textOf = (value: unknown, longest: number): string =>
  (typeof value === "string" ? String(storable("", value.slice(0, longest))) : "") || "?";

/** The requested record is no longer there. */
export function goneAs404(error: unknown): undefined {
  if (!(error instanceof SourceError && error.status === 404)) throw error;
}
