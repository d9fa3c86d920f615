import { t } from "../../../texts/connectors.js";
import { faultText } from "../../../texts/faults.js";
import { scopeChoices, scopeText } from "../../../texts/scopes.js";
import { DataList } from "../../components/data-list.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";

/** What syncs and webhooks of a connector could not write; the next sync tries it again. */
export const RefusedRecords = ({ name, warehouse_id }: OfWarehouse) => (
  <DataList
    title={t("refused")}
    path="/api/admin/connectors/{name}/refused-records"
    of={{ name }}
    rows="refused_records"
    query={{ warehouse_id }}
    filters={[{ name: "sync_type", label: t("records"), choices: scopeChoices(["orders", "items", "inventory"]) }]}
    columns={[
      { field: "external_id", title: t("externalId"), sorts: true },
      { field: "sync_type", title: t("records"), sorts: true, show: ({ sync_type }) => scopeText(sync_type) },
      { field: "external_version", title: t("version") },
      { field: "error_message", title: t("error"), show: (row) => faultText(row.error_message) },
      { field: "attempts", title: t("attempts"), right: true, sorts: true },
      { field: "last_refused_at", title: t("lastRefused"), sorts: true, as: "time" },
    ]}
  />
);
