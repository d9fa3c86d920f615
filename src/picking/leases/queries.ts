import { formsOf, gtinOf } from "../../platform/barcodes/gtin.js";
import { arrayOf, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { NextPickTask } from "../shapes.js";
import { IN_ORDER, PENDING, placed } from "../tasks.js";
import type { LeasedTask } from "./shapes.js";

const Row = NextPickTask.extend({ barcode_aliases: arrayOf(text).nullable() });

/** The pending tasks of a batch in the order of picking, with the codes of their items. */
export async function leasedTasks(batchId: number): Promise<LeasedTask[]> {
  const tasks = await db.rows(
    Row,
    `select ${placed(`row_number() over (${IN_ORDER})`)}, i.barcode_aliases ${PENDING} ${IN_ORDER}`,
    [batchId],
  );
  return tasks.map(({ barcode_aliases, ...task }) => ({ ...task, codes: codesOf(task, barcode_aliases ?? []) }));
}

/** SKU, UPC and aliases, and each of their GTINs with more or fewer zeros before it, as scanners send them. */
function codesOf({ sku, upc }: Pick<NextPickTask, "sku" | "upc">, aliases: string[]): string[] {
  const barcodes = upc === null ? aliases : [upc, ...aliases];
  const forms = barcodes.flatMap((code) => {
    const gtin = gtinOf(code);
    return gtin === undefined ? [] : formsOf(gtin);
  });
  return [...new Set([sku, ...barcodes, ...forms])];
}
