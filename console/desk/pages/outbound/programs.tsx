import { TextInput } from "@mantine/core";
import type { Connector } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/tokens.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Page } from "../../components/page.js";
import { RowActions } from "../../components/row-actions.js";

/** The registry of partners' programs, which own consumer groups, webhooks and tokens. */
export default function Programs() {
  return (
    <Page
      title={t("connectorRegistry")}
      actions={
        <Decision
          label={t("addProgram")}
          title={t("addProgram")}
          act={({ connector_id = "", display_name = "" }, idempotencyKey) =>
            api.post("/api/admin/connector-registry", { body: { connector_id, display_name }, idempotencyKey })
          }
        >
          <TextInput name="connector_id" label={t("programId")} required data-autofocus />
          <TextInput name="display_name" label={t("name")} required />
        </Decision>
      }
    >
      <DataList
        title={t("connectorRegistry")}
        path="/api/admin/connector-registry"
        rows="connectors"
        isWhole
        columns={[
          { field: "connector_id", title: t("programId"), sorts: true },
          { field: "display_name", title: t("name"), sorts: true },
          { field: "created_at", title: t("created"), sorts: true, show: ({ created_at }) => time(created_at) },
          { field: "updated_at", title: t("updated"), sorts: true, show: ({ updated_at }) => time(updated_at) },
          { field: "actions", title: t("actions"), show: (program) => <ProgramActions of={program} /> },
        ]}
      />
    </Page>
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
        act={({ display_name = "" }, idempotencyKey) =>
          api.patch("/api/admin/connector-registry/{connector_id}", { path, body: { display_name }, idempotencyKey })
        }
      >
        <TextInput name="display_name" label={t("name")} defaultValue={name} required data-autofocus />
      </Decision>
      <Decision
        label={t("delete")}
        title={t("deleteProgram", { name })}
        act={(_, idempotencyKey) =>
          api.delete("/api/admin/connector-registry/{connector_id}", { path, idempotencyKey })
        }
        isDangerous
      />
    </RowActions>
  );
}
