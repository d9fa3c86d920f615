import { z } from "zod";
import { binLabels } from "../../src/master-data/bins/draw-labels.js";
import { binsToLabel, type LabelledBin, zoneToLabel } from "../../src/master-data/bins/label.js";
import { itemLabels } from "../../src/master-data/items/draw-labels.js";
import { itemsToLabel } from "../../src/master-data/items/label.js";
import { ItemNotFound, LabelsOfNothing, ZoneNotFound } from "../../src/master-data/problems.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { print } from "../../src/platform/labels/print.js";
import {
  Copies,
  LabelledIds,
  LabelPrint,
  labelPrint,
  MOST_LABELS_OF_ZONE,
  NothingToPrint,
  TooManyLabels,
} from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { route, signedIn } from "../http/route.js";

/** Labels of bins and items: docs/labels.md. */

export const printBinLabel = route("get /api/admin/bins/:bin_id/label", {
  for: signedIn,
  summary: "The label of a bin, as PDF or ZPL",
  params: z.strictObject({ bin_id: field.BinIdParam }),
  query: LabelPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [BinNotFound, WarehouseDenied],
  run: async ({ params: { bin_id }, query, by, res }) => {
    const [bin] = (await binsToLabel([bin_id])) as [LabelledBin];
    checkWarehouse(by, bin.warehouse_id);
    return new FileAnswer(
      await print(labelPrint(query), `bin-${bin.bin_code}`, binLabels, [bin], threadCaller(by, res)),
    );
  },
});

export const printBinLabels = route("get /api/admin/bins/labels", {
  for: signedIn,
  summary: "The labels of many bins, by their ids or of a whole zone in the order of a walk",
  query: LabelPrint.extend({ bin_ids: LabelledIds.optional(), zone_id: field.ZoneIdParam.optional() }),
  files: printouts,
  answers: { 200: AFile },
  errors: [LabelsOfNothing, BinNotFound, ZoneNotFound, WarehouseDenied, TooManyLabels, NothingToPrint],
  run: async ({ query, by, res }) => {
    const { bin_ids, zone_id, ...how } = query;
    if ((bin_ids === undefined) === (zone_id === undefined)) throw LabelsOfNothing();
    const zone = zone_id === undefined ? undefined : await zoneToLabel(zone_id);
    if (zone_id !== undefined && !zone) throw ZoneNotFound();
    if (zone) checkWarehouse(by, zone.warehouse_id);
    const ids = bin_ids ?? zone?.bin_ids ?? [];
    if (ids.length === 0) throw NothingToPrint();
    if (ids.length > MOST_LABELS_OF_ZONE) throw TooManyLabels({ labels: ids.length, most: MOST_LABELS_OF_ZONE });
    const bins = await binsToLabel(ids);
    for (const { warehouse_id } of bins) checkWarehouse(by, warehouse_id);
    const name = zone ? `bins-${zone.zone_code}` : "bins";
    return new FileAnswer(await print(labelPrint(how), name, binLabels, bins, threadCaller(by, res)));
  },
});

export const printItemLabel = route("get /api/admin/items/:item_id/label", {
  for: signedIn,
  summary: "The label of an item, as PDF or ZPL, as often as there are copies",
  params: z.strictObject({ item_id: field.ItemIdParam }),
  query: LabelPrint.extend({ copies: Copies }),
  files: printouts,
  answers: { 200: AFile },
  errors: [ItemNotFound],
  run: async ({ params, query: { copies, ...how }, by, res }) => {
    const items = await itemsToLabel([params.item_id]);
    const name = `item-${items[0]?.sku}`;
    return new FileAnswer(await print(labelPrint(how), name, itemLabels, { items, copies }, threadCaller(by, res)));
  },
});

export const printItemLabels = route("get /api/admin/items/labels", {
  for: signedIn,
  summary: "The labels of many items, by their ids",
  query: LabelPrint.extend({ item_ids: LabelledIds }),
  files: printouts,
  answers: { 200: AFile },
  errors: [ItemNotFound],
  run: async ({ query: { item_ids, ...how }, by, res }) => {
    const items = await itemsToLabel(item_ids);
    return new FileAnswer(
      await print(labelPrint(how), "items", itemLabels, { items, copies: 1 }, threadCaller(by, res)),
    );
  },
});
