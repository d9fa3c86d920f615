import { Stack, TextInput } from "@mantine/core";
import type { PartnerLink } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { momentOf } from "../../../shared/format.js";
import { t } from "../../../texts/partner-links.js";
import { type EventType, scopeList } from "../../../texts/scopes.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { ProgramField } from "../../components/program-field.js";
import { SecretsPage } from "../../components/secrets-page.js";
import { namesOf, useWarehouseNames } from "../../components/warehouse-names.js";
import { SelectionFields, selectionOf } from "./selection.js";

/** Links that open the page of a partner, for an ADMIN. */
export default function PartnerLinks() {
  const warehouses = useWarehouseNames();
  const make = async (
    { connector_id = "", link_name = "", expires_at, ...values }: Record<string, string>,
    api: Api,
  ) => {
    const { warehouse_ids = [], event_types = [] } = selectionOf(values);
    const body = {
      ...{ connector_id, link_name, warehouse_ids, event_types: event_types as EventType[] as never },
      expires_at: expires_at ? momentOf(expires_at) : null,
    };
    const { path } = await api.post("/api/admin/partner-links", { body });
    return { title: t("linkOf", { name: link_name }), secret: location.origin + path };
  };
  const fields = (
    <Stack>
      <TextInput name="link_name" label={t("whom")} required data-autofocus />
      <ProgramField />
      <TextInput name="expires_at" type="datetime-local" label={t("until")} description={t("untilHint")} />
      <SelectionFields labels={{ events: t("allowedEvents"), warehouses: t("allowedWarehouses") }} />
    </Stack>
  );
  return (
    <SecretsPage title={t("links")} label={t("makeLink")} fields={fields} make={make}>
      <DataList
        title={t("links")}
        none="partnerLinks"
        path="/api/admin/partner-links"
        rows="partner_links"
        columns={[
          { field: "link_name", title: t("whom"), sorts: true },
          { field: "connector_id", title: t("program"), sorts: true },
          { field: "warehouse_ids", title: t("warehouses"), show: (row) => namesOf(row.warehouse_ids, warehouses) },
          { field: "event_types", title: t("events"), show: (row) => scopeList(row.event_types) },
          { field: "last_used_at", title: t("lastUsed"), sorts: true, as: "time" },
          { field: "expires_at", title: t("until"), sorts: true, as: "time" },
          { field: "revoked_at", title: t("revokedAt"), sorts: true, as: "time" },
          { field: "actions", title: t("actions"), right: true, show: (link: PartnerLink) => <Revoke of={link} /> },
        ]}
      />
    </SecretsPage>
  );
}

const Revoke = ({ of: { partner_link_id, link_name: name, revoked_at } }: { of: PartnerLink }) =>
  revoked_at === null && (
    <Decision
      isSmall
      isDangerous
      label={t("revoke")}
      title={t("revokeLink", { name })}
      act={(_, api) => api.delete("/api/admin/partner-links/{partner_link_id}", { path: { partner_link_id } })}
    />
  );
