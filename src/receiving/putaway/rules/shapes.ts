import { z } from "zod";
import * as field from "../../../platform/fields/index.js";
import { AnyText, Edit, ExternalId, Id, Name } from "../../../platform/fields.js";
import { list } from "../../../platform/list.js";

const Priority = z
  .int()
  .min(1)
  .max(1000)
  .meta({ examples: [10], description: "Which rule is asked first: the lowest, and of several the oldest." });
const Zone = field.ZoneId.nullable().describe("The first of zone_ids, null without one; alone, the only one.");
const Zones = z
  .array(field.ZoneId)
  .max(50)
  .meta({
    description:
      "The zones whose picking bins are used, the first with room first; none: all storage zones. Where it is sent, " +
      "zone_id is not read.",
    examples: [[4, 7]],
  });
const OneItem = z.boolean().describe("Whether only bins without another item will do.");
const OneLot = z.boolean().describe("Whether only bins without another lot of the item will do.");
const Most = (what: string, most: number) =>
  z
    .number()
    .nonnegative()
    .max(most)
    .nullable()
    .meta({ description: `${what}; null: any.`, examples: [40] });
const MaxWeight = Most("For items of which a unit weighs at most so many pounds", 99_999);
const MaxLength = Most("For items whose longest side has at most so many inches", 99_999);

const ItemClass = z
  .enum(["A", "B", "C"])
  .nullable()
  .describe("For items of this class, by how often they are picked in the warehouse; null: of any.");

export const PutAwayRule = z
  .strictObject({
    rule_id: Id.describe("Id of the rule of put-away, by which routes name it."),
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    priority: Priority,
    rule_name: AnyText("Heavy goods").describe("What people call the rule."),
    category: field.Category.nullable(),
    item_class: ItemClass,
    max_weight_lbs: MaxWeight,
    max_length_in: MaxLength,
    zone_id: Zone,
    zone_ids: Zones,
    one_item: OneItem,
    one_lot: OneLot,
    is_active: field.IsActive,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "PutAwayRule", description: "Where items of a kind are put away." });
export type PutAwayRule = z.infer<typeof PutAwayRule>;

export const ruleList = list(
  "r.rule_id",
  ...["r.rule_id", "r.priority", "r.rule_name", "r.warehouse_id", "r.updated_at"],
);
export const PutAwayRuleFilters = z.object({
  ...ruleList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type PutAwayRuleFilters = z.infer<typeof PutAwayRuleFilters>;

const fields = {
  priority: Priority,
  rule_name: Name(128, "Heavy goods").describe("What people call the rule."),
  category: field.GivenCategory.nullable(),
  item_class: ItemClass,
  max_weight_lbs: MaxWeight,
  max_length_in: MaxLength,
  zone_id: Zone,
  zone_ids: Zones,
  one_item: OneItem,
  one_lot: OneLot,
};

export const NewPutAwayRule = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  category: fields.category.default(null),
  item_class: fields.item_class.default(null),
  max_weight_lbs: fields.max_weight_lbs.default(null),
  max_length_in: fields.max_length_in.default(null),
  zone_id: fields.zone_id.default(null),
  zone_ids: fields.zone_ids.optional(),
  one_item: fields.one_item.default(false),
  one_lot: fields.one_lot.default(false),
});
export type NewPutAwayRule = z.infer<typeof NewPutAwayRule>;

export const PutAwayRuleChanges = Edit({ ...fields, is_active: field.IsActive });
export type PutAwayRuleChanges = z.infer<typeof PutAwayRuleChanges>;
