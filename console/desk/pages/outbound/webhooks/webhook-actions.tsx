import { useNavigate } from "react-router";
import type { WebhookSubscription } from "../../../../../client/src/index.js";
import type { Api } from "../../../../shared/api.js";
import { t } from "../../../../texts/webhooks.js";
import { Decision } from "../../../components/decision.js";
import { WebhookFields, webhookEdit } from "./webhook-fields.js";

const PATH = "/api/admin/webhooks/{subscription_id}";

interface WebhookActionsProps {
  of: WebhookSubscription;
  setSecret: (secret: string) => void;
  /** What the service says beside the change, such as that a resumed subscription will be paused again. */
  setHint: (hint: string | undefined) => void;
}

/** What can be done with a subscription; a revoked one can only be deleted. */
export function WebhookActions({
  of: { subscription_id, display_name: name, status, ...of },
  ...on
}: WebhookActionsProps) {
  const navigate = useNavigate();
  const path = { subscription_id };
  const change = async (body: object, api: Api) => {
    const { hint } = await api.patch(PATH, { path, body });
    on.setHint(hint);
  };
  const rotate = async (_: object, api: Api) => {
    const { secret } = await api.post(`${PATH}/rotate-secret`, { path });
    on.setSecret(secret);
  };
  const purge = async (_: object, api: Api) => {
    await api.delete(PATH, { path, query: { purge: "true" } });
    await navigate("/webhooks");
  };
  const purging = <Decision label={t("purge")} title={t("purgeWebhook", { name })} act={purge} isDangerous />;
  if (status === "revoked") return purging;
  return (
    <>
      {status === "active" ? (
        <Decision
          label={t("pause")}
          title={t("pauseWebhook", { name })}
          act={(_, api) => change({ status: "paused" }, api)}
        />
      ) : (
        <Decision
          label={t("resume")}
          title={t("resumeWebhook", { name })}
          act={(_, api) => change({ status: "active" }, api)}
        />
      )}
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editWebhook", { name })}
        act={(values, api) => change(webhookEdit(values), api)}
        isWide
      >
        <WebhookFields of={{ ...of, subscription_id, display_name: name, status }} />
      </Decision>
      <Decision label={t("rotate")} verb={t("replace")} title={t("rotateWebhook", { name })} act={rotate} />
      <Decision
        label={t("revoke")}
        title={t("revokeWebhook", { name })}
        act={(_, api) => api.delete(PATH, { path })}
        isDangerous
      />
      {purging}
    </>
  );
}
