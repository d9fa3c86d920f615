import { z } from "zod";
import { toteLabels } from "../../src/picking/draw-totes.js";
import { BatchNotFound } from "../../src/picking/problems.js";
import { batchToLabel } from "../../src/picking/tote-label.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { print } from "../../src/platform/labels/print.js";
import {
  LabelPrint,
  labelPrint,
  MOST_LABELS,
  NothingToPrint,
  TooManyLabels,
} from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";

/** Labels of totes: docs/labels.md. */

export const printToteLabels = route("get /api/picking/batch/:batch_id/labels", {
  for: floor("pick"),
  summary: "A label for each order of a batch, for the tote that its units go into",
  params: z.strictObject({ batch_id: field.BatchIdParam }),
  query: LabelPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [BatchNotFound, WarehouseDenied, NothingToPrint, TooManyLabels],
  run: async ({ params, query, by, res }) => {
    const batch = await batchToLabel(params.batch_id);
    if (!batch) throw BatchNotFound();
    checkWarehouse(by, batch.warehouse_id);
    const labels = batch.totes.length;
    if (labels === 0) throw NothingToPrint();
    if (labels > MOST_LABELS) throw TooManyLabels({ labels, most: MOST_LABELS });
    const name = `totes-${batch.batch_number}`;
    return new FileAnswer(await print(labelPrint(query), name, toteLabels, batch, threadCaller(by, res)));
  },
});
