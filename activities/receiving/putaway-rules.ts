import { UnknownZone } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { codeOf } from "../../src/platform/db/list.js";
import { PutAwayRuleNotFound } from "../../src/receiving/problems.js";
import { RULE } from "../../src/receiving/putaway/rules/queries.js";
import { type NewPutAwayRule, PutAwayRule, type PutAwayRuleChanges } from "../../src/receiving/putaway/rules/shapes.js";
import { command, type Tx } from "../command.js";
import { auditEdit, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";

/** What a statement on put_away_rules r answers. */
const WRITTEN = `${RULE}, ${codeOf("r.warehouse_id")}`;

/** Creates a rule of a warehouse (docs/put-away.md). */
export function createPutAwayRule(input: NewPutAwayRule, by: Actor): Promise<PutAwayRule> {
  return command("putAwayRules.create", by, input, async (tx) => {
    const { warehouse_id, ...fields } = input;
    await checkWarehouseExists(tx, warehouse_id);
    await lockZone(tx, input);
    const rule = (await tx.row(
      PutAwayRule,
      `insert into put_away_rules as r (warehouse_id, priority, rule_name, category, item_class, max_weight_lbs,
         max_length_in, zone_id, one_item, one_lot)
       values (:warehouse_id, :priority, :rule_name, :category, :item_class, :max_weight_lbs, :max_length_in,
         :zone_id, :one_item, :one_lot)
       returning ${WRITTEN}`,
      input,
    )) as PutAwayRule;
    tx.audit({ action: "CREATE", ...entityOf(rule), details: fields });
    return rule;
  });
}

/** Changes the sent fields of a rule, which stays in its warehouse. */
export function updatePutAwayRule(rule_id: number, changes: PutAwayRuleChanges, by: Actor): Promise<PutAwayRule> {
  return command("putAwayRules.update", by, { rule_id, ...changes }, async (tx) => {
    const before = await lockRule(tx, rule_id);
    const after = withChanges(before, changes);
    await lockZone(tx, after);
    const written = (await tx.row(
      PutAwayRule,
      `update put_away_rules as r
       set priority = :priority, rule_name = :rule_name, category = :category, item_class = :item_class,
           max_weight_lbs = :max_weight_lbs, max_length_in = :max_length_in, zone_id = :zone_id, one_item = :one_item,
           one_lot = :one_lot, is_active = :is_active, updated_at = now()
       where rule_id = :rule_id returning ${WRITTEN}`,
      after,
    )) as PutAwayRule;
    auditEdit(tx, entityOf(before), before, after);
    return written;
  });
}

/** Deletes a rule. */
export function deletePutAwayRule(rule_id: number, by: Actor): Promise<{ message: string }> {
  return command("putAwayRules.delete", by, { rule_id }, async (tx) => {
    const rule = await lockRule(tx, rule_id);
    await tx.run("delete from put_away_rules where rule_id = $1", [rule_id]);
    tx.audit({ action: "DELETE", ...entityOf(rule), details: { rule_name: rule.rule_name } });
    return { message: `Rule ${rule.rule_name} deleted` };
  });
}

const entityOf = ({ rule_id, warehouse_id }: PutAwayRule) => ({
  entity: "PUT_AWAY_RULE",
  entityId: rule_id,
  warehouseId: warehouse_id,
});

async function lockRule(tx: Tx, rule_id: number): Promise<PutAwayRule> {
  const sql = `select ${WRITTEN} from put_away_rules r where rule_id = $1 for update of r`;
  const rule = await tx.row(PutAwayRule, sql, [rule_id]);
  if (!rule) throw PutAwayRuleNotFound();
  return rule;
}

/** The rule's zone, if it names one, is one of its warehouse. */
async function lockZone(tx: Tx, { zone_id, warehouse_id }: Pick<PutAwayRule, "zone_id" | "warehouse_id">) {
  if (zone_id === null) return;
  const sql = "select zone_id from zones where zone_id = $1 and warehouse_id = $2 for key share";
  if (!(await tx.row({ zone_id: int }, sql, [zone_id, warehouse_id]))) throw UnknownZone({ zone_id });
}
