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
    const { warehouse_id, zone_id, ...fields } = input;
    const zone_ids = zonesIn(input) ?? [];
    await checkWarehouseExists(tx, warehouse_id);
    await lockZones(tx, zone_ids, warehouse_id);
    const rule = (await tx.row(
      PutAwayRule,
      `insert into put_away_rules as r (warehouse_id, priority, rule_name, category, item_class, max_weight_lbs,
         max_length_in, zone_ids, one_item, one_lot)
       values (:warehouse_id, :priority, :rule_name, :category, :item_class, :max_weight_lbs, :max_length_in,
         :zone_ids, :one_item, :one_lot)
       returning ${WRITTEN}`,
      { ...input, zone_ids },
    )) as PutAwayRule;
    tx.audit({ action: "CREATE", ...entityOf(rule), details: { ...fields, zone_ids } });
    return rule;
  });
}

/** Changes the sent fields of a rule, which stays in its warehouse. */
export function updatePutAwayRule(rule_id: number, changes: PutAwayRuleChanges, by: Actor): Promise<PutAwayRule> {
  return command("putAwayRules.update", by, { rule_id, ...changes }, async (tx) => {
    const before = await lockRule(tx, rule_id);
    const zone_ids = zonesIn(changes) ?? before.zone_ids;
    const after = { ...withChanges(before, changes), zone_id: zone_ids[0] ?? null, zone_ids };
    await lockZones(tx, zone_ids, before.warehouse_id);
    const written = (await tx.row(
      PutAwayRule,
      `update put_away_rules as r
       set priority = :priority, rule_name = :rule_name, category = :category, item_class = :item_class,
           max_weight_lbs = :max_weight_lbs, max_length_in = :max_length_in, zone_ids = :zone_ids,
           one_item = :one_item, one_lot = :one_lot, is_active = :is_active, updated_at = now()
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

/** The zones that a request names, each once; undefined where it says nothing of them. */
function zonesIn({ zone_ids, zone_id }: PutAwayRuleChanges): number[] | undefined {
  if (zone_ids) return [...new Set(zone_ids)];
  return zone_id === undefined ? undefined : [zone_id].filter((zone) => zone !== null);
}

/** The zones that a rule names are those of its warehouse. */
async function lockZones(tx: Tx, zoneIds: number[], warehouseId: number) {
  const sql = "select zone_id from zones where zone_id = any($1) and warehouse_id = $2 order by zone_id for key share";
  const there = await tx.rows({ zone_id: int }, sql, [zoneIds, warehouseId]);
  const unknown = zoneIds.find((zone) => !there.some(({ zone_id }) => zone_id === zone));
  if (unknown !== undefined) throw UnknownZone({ zone_id: unknown });
}
