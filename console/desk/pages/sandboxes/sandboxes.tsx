import { NativeSelect, TextInput } from "@mantine/core";
import type { Sandbox } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { moveText } from "../../../texts/sandbox-moves.js";
import { scenarioNames, scenarioText } from "../../../texts/sandbox-scenarios.js";
import { t } from "../../../texts/sandboxes.js";
import { t as tokens } from "../../../texts/tokens.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { ProgramField } from "../../components/program-field.js";
import { RowActions } from "../../components/row-actions.js";
import { SecretsPage } from "../../components/secrets-page.js";

/** Warehouses in which partners try things. */
export default function Sandboxes() {
  const make = async ({ connector_id = "", pace_seconds }: Record<string, string>, api: Api) => {
    const body = { connector_id, pace_seconds: Number(pace_seconds) };
    const { sandbox, token } = await api.post("/api/admin/sandboxes", { body });
    return { title: t("tokenOf", { name: sandbox.warehouse_code }), secret: token };
  };
  const fields = (
    <>
      <ProgramField />
      <PaceField seconds={5} />
    </>
  );
  return (
    <SecretsPage title={t("sandboxes")} label={t("begin")} fields={fields} make={make}>
      <DataList
        title={t("sandboxes")}
        none="sandboxes"
        path="/api/admin/sandboxes"
        rows="sandboxes"
        isWhole
        columns={[
          { field: "warehouse_code", title: t("warehouse"), sorts: true },
          { field: "connector_id", title: tokens("program"), sorts: true },
          { field: "state", title: t("state"), sorts: true, as: "status" },
          { field: "orders", title: t("orders"), sorts: true, as: "number" },
          { field: "last_move", title: t("lastMove"), show: ({ last_move }) => moveText(last_move) },
          { field: "used_at", title: t("usedAt"), sorts: true, as: "time" },
          { field: "ends_at", title: t("endsAt"), sorts: true, as: "time" },
          { field: "actions", title: t("actions"), show: (of) => of.state !== "ENDED" && <SandboxActions of={of} /> },
        ]}
      />
    </SecretsPage>
  );
}

const PaceField = ({ seconds }: { seconds: number }) => (
  <TextInput
    {...{ name: "pace_seconds", type: "number", label: t("pace"), description: t("paceHint") }}
    {...{ min: 1, max: 3600, defaultValue: seconds, required: true }}
  />
);

function SandboxActions({ of: { sandbox_id, warehouse_code: name, pace_seconds } }: { of: Sandbox }) {
  const path = { sandbox_id };
  const choices = scenarioNames.map((value) => ({ value, label: scenarioText(value) }));
  return (
    <RowActions>
      <Decision
        isSmall
        label={t("step")}
        title={t("stepTitle", { name })}
        act={({ scenario }, api) =>
          api.post("/api/admin/sandboxes/{sandbox_id}/step", {
            ...{ path, body: { scenario: scenario as (typeof scenarioNames)[number] } },
          })
        }
      >
        <NativeSelect name="scenario" label={t("scenario")} data={choices} data-autofocus />
      </Decision>
      <Decision
        isSmall
        label={t("pace")}
        verb={t("save")}
        title={t("paceTitle", { name })}
        act={({ pace_seconds: seconds }, api) =>
          api.put("/api/admin/sandboxes/{sandbox_id}", { path, body: { pace_seconds: Number(seconds) } })
        }
      >
        <PaceField seconds={pace_seconds} />
      </Decision>
      <Decision
        isSmall
        label={t("end")}
        title={t("endTitle", { name })}
        act={(_, api) => api.delete("/api/admin/sandboxes/{sandbox_id}", { path })}
        isDangerous
      />
    </RowActions>
  );
}
