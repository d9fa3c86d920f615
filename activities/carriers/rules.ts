import { CarrierAccountNotFound, CarrierRuleNotFound, CarrierRuleWeights } from "../../src/carriers/problems.js";
import { CARRIER_RULE } from "../../src/carriers/queries.js";
import { CarrierRule, type CarrierRuleChanges, type NewCarrierRule } from "../../src/carriers/rule-shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { command, type Tx } from "../command.js";
import { auditEdit, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";

/** Creates a rule by which services are chosen (docs/carriers.md). */
export function createCarrierRule(input: NewCarrierRule, by: Actor): Promise<CarrierRule> {
  return command("carrierRules.create", by, input, async (tx) => {
    await checkWarehouseExists(tx, input.warehouse_id);
    await check(tx, input);
    const rule = (await tx.row(
      CarrierRule,
      `insert into carrier_rules as r (warehouse_id, priority, rule_name, ship_method, min_weight_lbs, max_weight_lbs,
         countries, hazardous, account_id, carrier, service, within_days)
       values (:warehouse_id, :priority, :rule_name, :ship_method, :min_weight_lbs, :max_weight_lbs, :countries,
         :hazardous, :account_id, :carrier, :service, :within_days)
       returning ${CARRIER_RULE}`,
      { ...input },
    )) as CarrierRule;
    const { warehouse_id: _, ...details } = input;
    tx.audit({ action: "CREATE", ...entityOf(rule), details });
    return rule;
  });
}

/** Changes the sent fields of a rule, which stays in its warehouse. */
export function updateCarrierRule(rule_id: number, changes: CarrierRuleChanges, by: Actor): Promise<CarrierRule> {
  return command("carrierRules.update", by, { rule_id, ...changes }, async (tx) => {
    const before = await lockRule(tx, rule_id);
    const after = withChanges(before, changes);
    await check(tx, after);
    const written = (await tx.row(
      CarrierRule,
      `update carrier_rules as r
       set priority = :priority, rule_name = :rule_name, ship_method = :ship_method, min_weight_lbs = :min_weight_lbs,
           max_weight_lbs = :max_weight_lbs, countries = :countries, hazardous = :hazardous,
           account_id = :account_id, carrier = :carrier, service = :service, within_days = :within_days,
           is_active = :is_active, updated_at = now()
       where rule_id = :rule_id returning ${CARRIER_RULE}`,
      after,
    )) as CarrierRule;
    auditEdit(tx, entityOf(before), before, after);
    return written;
  });
}

/** Deletes a rule. */
export function deleteCarrierRule(rule_id: number, by: Actor): Promise<{ message: string }> {
  return command("carrierRules.delete", by, { rule_id }, async (tx) => {
    const rule = await lockRule(tx, rule_id);
    await tx.run("delete from carrier_rules where rule_id = $1", [rule_id]);
    tx.audit({ action: "DELETE", ...entityOf(rule), details: { rule_name: rule.rule_name } });
    return { message: `Rule ${rule.rule_name} deleted` };
  });
}

/** What must hold of a rule: the account that it names is one of its warehouse. */
async function check(
  tx: Tx,
  {
    account_id,
    warehouse_id,
    min_weight_lbs: min,
    max_weight_lbs: max,
  }: Pick<CarrierRule, "account_id" | "warehouse_id" | "min_weight_lbs" | "max_weight_lbs">,
): Promise<void> {
  if (max === 0 || (min !== null && max !== null && min >= max)) throw CarrierRuleWeights();
  if (account_id === null) return;
  const sql = "select from carrier_accounts where account_id = $1 and warehouse_id = $2 for key share";
  if (!(await tx.row({}, sql, [account_id, warehouse_id]))) throw CarrierAccountNotFound();
}

async function lockRule(tx: Tx, ruleId: number): Promise<CarrierRule> {
  const sql = `select ${CARRIER_RULE} from carrier_rules r where rule_id = $1 for update of r`;
  const rule = await tx.row(CarrierRule, sql, [ruleId]);
  if (!rule) throw CarrierRuleNotFound();
  return rule;
}

const entityOf = ({ rule_id, warehouse_id }: CarrierRule) => ({
  entity: "CARRIER_RULE",
  entityId: rule_id,
  warehouseId: warehouse_id,
});
