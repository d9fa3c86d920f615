import { TextInput } from "@mantine/core";
import type { Connector } from "../../../../client/src/index.js";
import { t } from "../../../texts/tokens.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { RowActions } from "../../components/row-actions.js";

/** The registry of partners' programs, which own consumer groups, webhooks and tokens. */
export default function Programs() {
  return (
    <ListPage
      title={t("connectorRegistry")}
      none="programs"
      actions={
        <Decision
          label={t("addProgram")}
          title={t("addProgram")}
          act={({ connector_id = "", display_name = "" }, api) =>
            api.post("/api/admin/connector-registry", { body: { connector_id, display_name } })
          }
        >
          <TextInput name="connector_id" label={t("programId")} required data-autofocus />
          <TextInput name="display_name" label={t("name")} required />
        </Decision>
      }
      path="/api/admin/connector-registry"
      rows="connectors"
      isWhole
      columns={[
        { field: "connector_id", title: t("programId"), sorts: true },
        { field: "display_name", title: t("name"), sorts: true },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
        { field: "updated_at", title: t("changed"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), show: (program) => <ProgramActions of={program} /> },
      ]}
    />
  );
}

function ProgramActions({ of: { connector_id, display_name: name } }: { of: Connector }) {
  const path = { connector_id };
  return (
    <RowActions>
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editProgram", { name })}
        act={({ display_name = "" }, api) =>
          api.patch("/api/admin/connector-registry/{connector_id}", { path, body: { display_name } })
        }
      >
        <TextInput name="display_name" label={t("name")} defaultValue={name} required data-autofocus />
      </Decision>
      <Decision
        label={t("delete")}
        title={t("deleteProgram", { name })}
        act={(_, api) => api.delete("/api/admin/connector-registry/{connector_id}", { path })}
        isDangerous
      />
    </RowActions>
  );
}
