import { z } from "zod";
import * as activities from "../../activities/carriers/rules.js";
import { CarrierAccountNotFound, CarrierRuleNotFound, CarrierRuleWeights } from "../../src/carriers/problems.js";
import { carrierRules } from "../../src/carriers/queries.js";
import {
  CarrierRule,
  CarrierRuleChanges,
  CarrierRuleFilters,
  CarrierRuleIdParam,
  NewCarrierRule,
} from "../../src/carriers/rule-shapes.js";
import { UnknownWarehouse } from "../../src/master-data/problems.js";
import { Message, paged } from "../../src/platform/fields.js";
import { admin, route } from "../http/route.js";

/** Rules by which the service of a parcel is chosen: docs/carriers.md. */

const params = z.strictObject({ rule_id: CarrierRuleIdParam });

export const listCarrierRules = route("get /api/admin/carrier-rules", {
  for: admin,
  summary: "Rules by which services of carriers are chosen, in the order in which they are asked",
  query: CarrierRuleFilters,
  answers: { 200: paged("carrier_rules", CarrierRule, "The rules, one entry for each.") },
  run: async ({ query }) => carrierRules(query),
});

export const createCarrierRule = route("post /api/admin/carrier-rules", {
  for: admin,
  summary: "Creates a rule by which services of carriers are chosen",
  body: NewCarrierRule,
  answers: { 201: CarrierRule },
  errors: [UnknownWarehouse, CarrierAccountNotFound, CarrierRuleWeights],
  run: ({ body, by }) => activities.createCarrierRule(body, by),
});

export const updateCarrierRule = route("put /api/admin/carrier-rules/:rule_id", {
  for: admin,
  summary: "Changes what is sent of a carrier rule",
  params,
  body: CarrierRuleChanges,
  answers: { 200: CarrierRule },
  errors: [CarrierRuleNotFound, CarrierAccountNotFound, CarrierRuleWeights],
  run: ({ params, body, by }) => activities.updateCarrierRule(params.rule_id, body, by),
});

export const deleteCarrierRule = route("delete /api/admin/carrier-rules/:rule_id", {
  for: admin,
  summary: "Deletes a carrier rule",
  params,
  answers: { 200: Message },
  errors: [CarrierRuleNotFound],
  run: ({ params, by }) => activities.deleteCarrierRule(params.rule_id, by),
});
