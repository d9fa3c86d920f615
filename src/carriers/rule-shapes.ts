import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Edit, Id, Name, QueryInt } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { AccountId } from "./shapes.js";

/** Rules by which the service of a parcel is chosen: docs/carriers.md. */

export const CarrierRuleIdParam = QueryInt.describe("Id of the carrier rule.");

const Priority = z
  .int()
  .min(1)
  .max(1000)
  .meta({ examples: [10], description: "Which rule is asked first: the lowest, and of several the oldest." });
const RuleName = AnyText("Light to Germany").describe("What people call the rule.");
const ShipMethod = Name(100, "Ground")
  .nullable()
  .describe("For orders of this ship method, in any case; null: of any.");
const Weight = (what: string) =>
  z
    .number()
    .nonnegative()
    .max(99_999)
    .nullable()
    .meta({ description: `${what}, in pounds; null: of any.`, examples: [2] });
const Countries = z
  .array(z.string().regex(/^[A-Z]{2}$/, "Expected a code of two capitals, as DE"))
  .max(250)
  .meta({ description: "For parcels to these countries; none: to any.", examples: [["DE", "AT"]] });
const Hazardous = z
  .boolean()
  .nullable()
  .meta({ description: "For parcels with dangerous goods, or without any; null: for both.", examples: [true] });
const Account = AccountId.nullable().describe("Takes services of this account alone; null: of any.");
const CarrierOf = Name(100, "USPS").nullable().describe("Takes services of this carrier alone; null: of any.");
const Service = Name(100, "Priority").nullable().describe("Takes this service alone; null: any.");
const WithinDays = z
  .int()
  .min(1)
  .max(365)
  .nullable()
  .meta({ description: "Takes services with at most so many days on the way; null: any.", examples: [3] });

const fields = {
  priority: Priority,
  rule_name: Name(128, "Light to Germany").describe("What people call the rule."),
  ship_method: ShipMethod,
  min_weight_lbs: Weight("For parcels of at least this weight"),
  max_weight_lbs: Weight("For parcels below this weight"),
  countries: Countries,
  hazardous: Hazardous,
  account_id: Account,
  carrier: CarrierOf,
  service: Service,
  within_days: WithinDays,
};

export const CarrierRule = z
  .strictObject({
    rule_id: Id.describe("Id of the carrier rule."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    ...fields,
    rule_name: RuleName,
    is_active: field.IsActive,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "CarrierRule", description: "Which service parcels of a kind go by." });
export type CarrierRule = z.infer<typeof CarrierRule>;

export const carrierRuleList = list(
  "r.rule_id",
  ...["r.rule_id", "r.priority", "r.rule_name", "r.warehouse_id", "r.updated_at"],
);
export const CarrierRuleFilters = z.object({
  ...carrierRuleList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type CarrierRuleFilters = z.infer<typeof CarrierRuleFilters>;

export const NewCarrierRule = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  ship_method: fields.ship_method.default(null),
  min_weight_lbs: fields.min_weight_lbs.default(null),
  max_weight_lbs: fields.max_weight_lbs.default(null),
  countries: fields.countries.default([]),
  hazardous: fields.hazardous.default(null),
  account_id: fields.account_id.default(null),
  carrier: fields.carrier.default(null),
  service: fields.service.default(null),
  within_days: fields.within_days.default(null),
});
export type NewCarrierRule = z.infer<typeof NewCarrierRule>;

export const CarrierRuleChanges = Edit({ ...fields, is_active: field.IsActive });
export type CarrierRuleChanges = z.infer<typeof CarrierRuleChanges>;
