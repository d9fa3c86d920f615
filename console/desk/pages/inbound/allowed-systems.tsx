import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { NewSourceSystem } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { scopeChoices, scopeText } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";
import { optionsOf } from "../../values.js";

const kinds = scopeChoices(["connector", "internal_tool", "manual_import"]);

/** The systems that may push records. An ADMIN says which. */
export default function SourceSystems() {
  const isAdmin = useMe().role === "ADMIN";
  return (
    <ListPage
      title={t("sourceSystems")}
      none="allowedSystems"
      actions={isAdmin && <Allow />}
      path="/api/admin/source-systems"
      rows="source_systems"
      isWhole
      columns={[
        { field: "source_system", title: t("sourceSystem"), sorts: true },
        { field: "kind", title: t("kind"), sorts: true, show: ({ kind }) => scopeText(kind) },
        {
          field: "actions",
          title: t("actions"),
          show: ({ source_system }) => isAdmin && <Drop source_system={source_system} />,
        },
      ]}
    />
  );
}

const Allow = () => (
  <Decision
    label={t("addSystem")}
    title={t("addSystem")}
    act={({ source_system = "", kind, notes }, api) => {
      const body = { source_system, kind: kind as NewSourceSystem["kind"], notes: notes || null };
      return api.post("/api/admin/source-systems", { body });
    }}
  >
    <TextInput name="source_system" label={t("sourceSystem")} required data-autofocus />
    <NativeSelect name="kind" label={t("kind")} data={optionsOf(kinds)} />
    <Textarea name="notes" label={t("notes")} />
  </Decision>
);

const Drop = ({ source_system }: { source_system: string }) => (
  <RowActions>
    <Decision
      label={t("delete")}
      title={t("deleteSystem", { name: source_system })}
      act={(_, api) => api.delete("/api/admin/source-systems/{source_system}", { path: { source_system } })}
      isDangerous
    />
  </RowActions>
);
