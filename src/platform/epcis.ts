import { createHash } from "node:crypto";
import { gtinOf } from "./barcodes/gtin.js";

/**
 * Pieces of EPCIS 2.0 documents in JSON-LD (docs/recall.md). Records are named by their external ids, as events name
 * them; what people know them by stands beside them, in the namespace `wes`.
 */

const CONTEXT = [
  "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
  { wes: "urn:warehouse-execution-service:" },
];

/** A document without events, about a kind of goods; what is null is not known of it. */
export const epcisDocument = (epcClass: string, known: Record<string, string | null>) => ({
  ...{ "@context": CONTEXT, type: "EPCISDocument", schemaVersion: "2.0", creationDate: new Date().toISOString() },
  epcisHeader: {
    epcisMasterData: {
      vocabularyList: [
        {
          type: "urn:epcglobal:epcis:vtype:EPCClass",
          vocabularyElementList: [{ id: epcClass, attributes: attributesOf(known) }],
        },
      ],
    },
  },
  epcisBody: { eventList: [] as object[] },
});

const attributesOf = (known: Record<string, string | null>) =>
  Object.entries(known)
    .filter(([, attribute]) => attribute !== null)
    .map(([id, attribute]) => ({ id, attribute }));

export const urn = (uuid: string) => `urn:uuid:${uuid}`;

/** Lots and serials that a GS1 label can carry (AI 10 and 21). */
const OF_A_LABEL = /^[\w!"%&'()*+,\-./:;<=>?]{1,20}$/;

/** What a GS1 label of these goods says, as a link; undefined where there can be none. */
export function digitalLink(upc: string | null, ai: "10" | "21", value: string): string | undefined {
  const gtin = upc ? gtinOf(upc) : undefined;
  if (!gtin || !OF_A_LABEL.test(value)) return undefined;
  return `https://id.gs1.org/01/${gtin}/${ai}/${encodeURIComponent(value)}`;
}

/** The id of an event, the same in each document: a UUID (of version 8) made from what it is of. */
export function eventId(...of: unknown[]): string {
  const hex = createHash("sha256").update(of.join(" ")).digest("hex");
  return urn(`${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`);
}

/** The papers of an event, by their external ids; null for those that there are not. */
export function transactions(...papers: [type: string, externalId: string | null][]) {
  const known = papers.flatMap(([type, id]) => (id ? [{ type, bizTransaction: urn(id) }] : []));
  return known.length > 0 && { bizTransactionList: known };
}

/** What people know the records of an event by; null for those that there are not. */
export const knownBy = (names: Record<string, string | null>): object =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([, name]) => name !== null)
      .map(([what, name]) => [`wes:${what}`, name]),
  );
