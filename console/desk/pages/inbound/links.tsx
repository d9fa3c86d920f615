import { NativeSelect, TextInput } from "@mantine/core";
import type { NewSourceLink } from "../../../../client/src/index.js";
import { t } from "../../../texts/inbound.js";
import { scopeChoices, scopeText } from "../../../texts/scopes.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { useSourceSystems } from "./source-systems.js";

const types: NewSourceLink["source_type"][] = ["customer", "item", "purchase_order", "sales_order", "vendor"];

/** Which records other systems mean by their ids. */
export default function SourceLinks() {
  const systems = useSourceSystems();
  return (
    <ListPage
      title={t("links")}
      none="links"
      actions={<AddLink />}
      path="/api/admin/source-links"
      isLong
      rows="source_links"
      filters={[
        { name: "source_id", label: t("externalId") },
        { name: "source_system", label: t("sourceSystem"), ...(systems && { choices: systems }) },
        { name: "source_type", label: t("resource"), choices: scopeChoices(types) },
      ]}
      columns={[
        { field: "source_id", title: t("externalId"), sorts: true },
        { field: "source_system", title: t("sourceSystem"), sorts: true },
        { field: "source_type", title: t("resource"), sorts: true, show: ({ source_type }) => scopeText(source_type) },
        { field: "code", title: t("record") },
        { field: "name", title: t("name") },
        { field: "first_seen_at", title: t("since"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), show: (link) => <Unlink {...link} /> },
      ]}
    />
  );
}

function AddLink() {
  const systems = useSourceSystems();
  return (
    <Decision
      label={t("addLink")}
      title={t("addLink")}
      act={({ source_system = "", source_type, source_id = "", canonical_id = "" }, api) => {
        const body = {
          source_system,
          source_type: source_type as NewSourceLink["source_type"],
          source_id,
          canonical_id,
        };
        return api.post("/api/admin/source-links", { body });
      }}
    >
      {systems ? (
        <NativeSelect name="source_system" label={t("sourceSystem")} data={Object.keys(systems)} />
      ) : (
        <TextInput name="source_system" label={t("sourceSystem")} required />
      )}
      <NativeSelect
        name="source_type"
        label={t("resource")}
        data={types.map((value) => ({ value, label: scopeText(value) }))}
      />
      <TextInput name="source_id" label={t("externalId")} required data-autofocus />
      <TextInput name="canonical_id" label={t("canonicalId")} description={t("canonicalIdHint")} required />
    </Decision>
  );
}

const Unlink = ({ link_id, source_id }: { link_id: number; source_id: string }) => (
  <RowActions>
    <Decision
      label={t("unlink")}
      title={t("unlinkId", { id: source_id })}
      act={(_, api) => api.delete("/api/admin/source-links/{link_id}", { path: { link_id } })}
      isDangerous
    />
  </RowActions>
);
