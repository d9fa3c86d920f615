import { codesOf } from "../../platform/barcodes/gtin.js";
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
  return tasks.map(({ barcode_aliases, ...task }) => ({ ...task, codes: codesOf(task, barcode_aliases) }));
}
