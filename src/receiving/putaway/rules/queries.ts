import { builder, codeOf } from "../../../platform/db/list.js";
import { listPage } from "../../../platform/db/listing.js";
import { PutAwayRule, type PutAwayRuleFilters, ruleList } from "./shapes.js";

/** The columns of a rule `r` that its record has, but for the code of its warehouse. */
export const RULE = `r.rule_id, r.external_id, r.warehouse_id, r.priority, r.rule_name, r.category, r.item_class,
  r.max_weight_lbs::float8 as max_weight_lbs, r.max_length_in::float8 as max_length_in, r.zone_ids[1] as zone_id,
  r.zone_ids, r.one_item, r.one_lot, r.is_active, r.updated_at`;

/** The rules of each warehouse, in the order in which they are asked. */
export function putAwayRules(filters: PutAwayRuleFilters) {
  const query = builder("put_away_rules as r")
    .select(builder.raw(RULE), builder.raw(codeOf("r.warehouse_id")))
    .orderBy(["r.warehouse_id", "r.priority", "r.rule_id"]);
  if (filters.warehouse_id) query.where("r.warehouse_id", filters.warehouse_id);
  return listPage(PutAwayRule, "put_away_rules", query, filters, ruleList);
}
