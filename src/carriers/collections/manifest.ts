import type { ThreadCaller } from "../../platform/concurrency/in-thread.js";
import { text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import type { RowOf } from "../../platform/db/shape.js";
import type { Print } from "../../platform/labels/draw.js";
import { type Printed, print } from "../../platform/labels/print.js";
import { paperSettings } from "../../shipping/packing/slip.js";
import { LabelOfOtherFormat } from "../problems.js";
import { manifestPages } from "./draw-manifest.js";
import { CollectionEmpty, ManifestNotFound } from "./problems.js";
import { contentsOfCollection, manifestFile } from "./queries.js";
import type { Collection } from "./shapes.js";
import { nameOfCollection } from "./workflow.js";

const HeadRow = { company_name: text, company_address: text };

/**
 * The manifest of a collection: as its carrier drew it, the newest unless one is named, else the house's own, of what
 * is in the collection now.
 */
export async function readManifest(collection: Collection, manifestNumber?: number) {
  const { collection_id, warehouse_id } = collection;
  const title = nameOfCollection(collection);
  const of = { title, warehouses: [warehouse_id] };
  const file = await manifestFile(collection_id, manifestNumber);
  if (file) return { ...of, draw: async ({ format }: Print) => asDrawn(file.content, title, format) };
  if (manifestNumber !== undefined) throw ManifestNotFound();
  const [head, contents] = await Promise.all([
    db.row(HeadRow, `select ${paperSettings("company_name", "company_address")}`),
    contentsOfCollection(db, collection_id),
  ]);
  if (contents.length === 0) throw CollectionEmpty();
  const manifest = { ...(head as RowOf<typeof HeadRow>), collection, contents };
  return { ...of, draw: (how: Print, caller: ThreadCaller) => print(how, title, manifestPages, manifest, caller) };
}

function asDrawn(content: Buffer, title: string, format: Print["format"]): Printed {
  if (format !== "pdf") throw LabelOfOtherFormat({ format: "pdf" });
  return { mediaType: "application/pdf", fileName: `${title}.pdf`, content };
}
