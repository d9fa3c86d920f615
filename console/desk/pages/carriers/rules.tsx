import type { CarrierRule } from "../../../../client/src/index.js";
import { t } from "../../../texts/carriers.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { activeColumn } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { RuleFields, ruleIn } from "./rule-fields.js";
import { useAccountNames } from "./use-accounts.js";

/** Which service parcels of a kind go by, in the order in which the rules are asked. */
export default function Rules() {
  const accounts = useAccountNames();
  return (
    <ListPage
      title={t("rules")}
      none="rules"
      actions={<NewRule />}
      path="/api/admin/carrier-rules"
      rows="carrier_rules"
      ofWarehouse
      columns={[
        { field: "rule_name", title: t("name"), sorts: true },
        { field: "priority", title: t("priority"), sorts: true, as: "number" },
        warehouseColumn(),
        { field: "for", title: t("isFor"), show: forWhat },
        { field: "takes", title: t("takes"), show: (rule) => whatItTakes(rule, accounts) },
        activeColumn(t),
        { field: "actions", title: t("actions"), right: true, show: (rule) => <Actions rule={rule} /> },
      ]}
    />
  );
}

/** The parcels that it is for. */
function forWhat({ ship_method, min_weight_lbs, max_weight_lbs, countries, hazardous }: CarrierRule): string {
  const said = [
    ship_method,
    min_weight_lbs !== null && t("atLeast", { weight: min_weight_lbs }),
    max_weight_lbs !== null && t("below", { weight: max_weight_lbs }),
    countries.length > 0 && t("toCountries", { countries: countries.join(", ") }),
    hazardous !== null && t(hazardous ? "hazardous" : "notHazardous"),
  ];
  return said.filter(Boolean).join(" · ") || t("allParcels");
}

/** The services that it takes the cheapest of. */
function whatItTakes({ account_id, carrier, service, within_days }: CarrierRule, accounts: Record<string, string>) {
  const account = account_id === null ? null : (accounts[account_id] ?? `#${account_id}`);
  const said = [account, carrier, service, within_days !== null && t("inDays", { days: within_days })];
  return said.filter(Boolean).join(" · ") || t("anyService");
}

const NewRule = () => (
  <Decision
    isWide
    isAction
    label={t("newRule")}
    verb={t("create")}
    title={t("newRule")}
    act={({ warehouse_id, ...values }, api) =>
      api.post("/api/admin/carrier-rules", { body: { ...ruleIn(values), warehouse_id: Number(warehouse_id) } })
    }
  >
    <RuleFields />
  </Decision>
);

function Actions({ rule }: { rule: CarrierRule }) {
  const { rule_id, rule_name: name, is_active } = rule;
  const path = { rule_id };
  return (
    <RowActions>
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editRule", { name })}
        act={(values, api) => api.put("/api/admin/carrier-rules/{rule_id}", { path, body: ruleIn(values) })}
      >
        <RuleFields of={rule} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseRule", { name }) : t("resumeRule", { name })}
        act={(_, api) => api.put("/api/admin/carrier-rules/{rule_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("delete")}
        title={t("deleteRule", { name })}
        act={(_, api) => api.delete("/api/admin/carrier-rules/{rule_id}", { path })}
      />
    </RowActions>
  );
}
