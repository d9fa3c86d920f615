import { z } from "zod";
import * as activities from "../../activities/receiving/putaway-rules.js";
import { UnknownWarehouse, UnknownZone } from "../../src/master-data/problems.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { PutAwayRuleNotFound } from "../../src/receiving/problems.js";
import { putAwayRules } from "../../src/receiving/putaway/rules/queries.js";
import {
  NewPutAwayRule,
  PutAwayRule,
  PutAwayRuleChanges,
  PutAwayRuleFilters,
} from "../../src/receiving/putaway/rules/shapes.js";
import { admin, route } from "../http/route.js";

/** Put-away rules: docs/put-away.md. */

const params = z.strictObject({ rule_id: QueryInt.describe("Id of the rule of put-away, by which routes name it.") });

export const listPutAwayRules = route("get /api/admin/put-away-rules", {
  for: admin,
  summary: "Put-away rules, in the order in which they are asked",
  query: PutAwayRuleFilters,
  answers: { 200: paged("put_away_rules", PutAwayRule, "The rules, one entry for each.") },
  run: async ({ query }) => putAwayRules(query),
});

export const createPutAwayRule = route("post /api/admin/put-away-rules", {
  for: admin,
  summary: "Creates a put-away rule of a warehouse",
  body: NewPutAwayRule,
  answers: { 201: PutAwayRule },
  errors: [UnknownWarehouse, UnknownZone],
  run: ({ body, by }) => activities.createPutAwayRule(body, by),
});

export const updatePutAwayRule = route("put /api/admin/put-away-rules/:rule_id", {
  for: admin,
  summary: "Changes what is sent of a put-away rule",
  params,
  body: PutAwayRuleChanges,
  answers: { 200: PutAwayRule },
  errors: [PutAwayRuleNotFound, UnknownZone],
  run: ({ params, body, by }) => activities.updatePutAwayRule(params.rule_id, body, by),
});

export const deletePutAwayRule = route("delete /api/admin/put-away-rules/:rule_id", {
  for: admin,
  summary: "Deletes a put-away rule",
  params,
  answers: { 200: Message },
  errors: [PutAwayRuleNotFound],
  run: ({ params, by }) => activities.deletePutAwayRule(params.rule_id, by),
});
