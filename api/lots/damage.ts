import * as activities from "../../activities/lots/hold-stock.js";
import { misread } from "../../src/platform/barcodes/problems.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { DamageReport } from "../../src/stock/holds/damage.js";
import { NothingToHold, NotInBin } from "../../src/stock/holds/problems.js";
import { StockHold } from "../../src/stock/holds/shapes.js";
import { floor, route } from "../http/route.js";
import { tellInspection } from "./inspection-workflow.js";

export const reportDamage = route("post /api/inventory/report-damage", {
  for: floor("any"),
  summary: "Takes damaged units in a bin out of sale, under an inspection that a lead decides; picks get other units",
  body: DamageReport,
  answers: { 201: StockHold },
  errors: [NotInBin, NothingToHold, ...misread, WarehouseDenied],
  run: async ({ body, by }) => {
    const hold = await activities.reportDamage(body, by);
    const { inspection_id: id, warehouse_id } = hold;
    if (id !== null) tellInspection({ id, warehouse_id }, by);
    return hold;
  },
});
