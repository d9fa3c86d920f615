import type { Channel } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";
import { t } from "../../../../texts/channels.js";
import { Decision } from "../../../components/decision.js";
import { ChannelFields, channelEdit } from "./channel-fields.js";

const PATH = "/api/admin/channels/{channel_id}";

interface ChannelActionsProps {
  of: Channel;
  setSecret: (secret: string) => void;
}

/** What can be done with a channel that is not revoked. */
export function ChannelActions({ of, setSecret }: ChannelActionsProps) {
  const { channel_id, display_name: name, status } = of;
  const path = { channel_id };
  const change = (body: Partial<ReturnType<typeof channelEdit>> & { status?: "active" | "paused" }, key: string) =>
    api.patch(PATH, { path, body, idempotencyKey: key });
  const rotate = async (_: object, idempotencyKey: string) => {
    const { secret } = await api.post(`${PATH}/rotate-secret`, { path, idempotencyKey });
    setSecret(secret);
  };
  return (
    <>
      {status === "active" ? (
        <Decision
          label={t("pause")}
          title={t("pauseChannel", { name })}
          act={(_, key) => change({ status: "paused" }, key)}
        />
      ) : (
        <Decision
          label={t("resume")}
          title={t("resumeChannel", { name })}
          act={(_, key) => change({ status: "active" }, key)}
        />
      )}
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editChannel", { name })}
        act={(values, key) => change(channelEdit(values), key)}
        isWide
      >
        <ChannelFields of={of} />
      </Decision>
      <Decision label={t("rotate")} verb={t("replace")} title={t("rotateChannel", { name })} act={rotate} />
      <Decision
        label={t("revoke")}
        title={t("revokeChannel", { name })}
        act={(_, idempotencyKey) => api.delete(PATH, { path, idempotencyKey })}
        isDangerous
      />
    </>
  );
}
