import type { PutAwayRule } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/put-away-rules.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { activeColumn } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { PlacedRuleFields, RuleFields, RuleZonesField, ruleIn } from "./put-away-rule-fields.js";

/** Where goods of a kind are put away, in the order in which the rules of a warehouse are asked. */
export default function PutAwayRules() {
  const zones = useRead("/api/admin/zones", { query: { per_page: 1000 } }).data?.zones ?? [];
  const codeOf = (id: number) => zones.find(({ zone_id }) => zone_id === id)?.zone_code ?? String(id);
  return (
    <ListPage
      title={t("rules")}
      none="putAwayRules"
      actions={<NewRule />}
      path="/api/admin/put-away-rules"
      rows="put_away_rules"
      ofWarehouse
      columns={[
        { field: "priority", title: t("order"), sorts: true, as: "number" },
        { field: "rule_name", title: t("name"), sorts: true },
        warehouseColumn(),
        { field: "category", title: t("forGoods"), show: goodsOf },
        { field: "zone_ids", title: t("into"), show: (rule) => placesOf(rule, codeOf) },
        activeColumn(t),
        { field: "actions", title: t("actions"), right: true, show: (rule) => <Actions rule={rule} /> },
      ]}
    />
  );
}

const joined = (parts: (string | false)[]) => parts.filter(Boolean).join(" · ");

/** Which items a rule is for. */
const goodsOf = ({ category, item_class, max_weight_lbs, max_length_in }: PutAwayRule) =>
  joined([
    category !== null && t("ofCategory", { category }),
    item_class !== null && t("ofClass", { name: item_class }),
    max_weight_lbs !== null && t("upToWeight", { weight: number(max_weight_lbs) }),
    max_length_in !== null && t("upToLength", { length: number(max_length_in) }),
  ]) || t("allGoods");

/** Which bins will do for it. */
const placesOf = ({ zone_ids, one_item, one_lot }: PutAwayRule, codeOf: (zone: number) => string) =>
  joined([zone_ids.map(codeOf).join(", ") || t("allBins"), one_item && t("withoutItem"), one_lot && t("withoutLot")]);

const NewRule = () => (
  <Decision
    isWide
    label={t("newRule")}
    verb={t("create")}
    title={t("newRule")}
    act={(values, api) =>
      api.post("/api/admin/put-away-rules", {
        body: { ...ruleIn(values), warehouse_id: Number(values.warehouse_id) },
      })
    }
  >
    <RuleFields />
    <PlacedRuleFields />
  </Decision>
);

function Actions({ rule }: { rule: PutAwayRule }) {
  const { rule_id, rule_name: name, is_active, warehouse_id, zone_ids } = rule;
  const path = { rule_id };
  return (
    <RowActions>
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editRule", { name })}
        act={(values, api) => api.put("/api/admin/put-away-rules/{rule_id}", { path, body: ruleIn(values) })}
      >
        <RuleFields of={rule} />
        <RuleZonesField warehouseId={warehouse_id} value={zone_ids} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseRule", { name }) : t("resumeRule", { name })}
        act={(_, api) => api.put("/api/admin/put-away-rules/{rule_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("delete")}
        title={t("deleteRule", { name })}
        act={(_, api) => api.delete("/api/admin/put-away-rules/{rule_id}", { path })}
      />
    </RowActions>
  );
}
