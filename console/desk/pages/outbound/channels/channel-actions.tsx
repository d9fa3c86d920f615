import type { Channel } from "../../../../../client/src/index.js";
import type { Api } from "../../../../shared/api.js";
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
  const change = (body: Partial<ReturnType<typeof channelEdit>> & { status?: "active" | "paused" }, api: Api) =>
    api.patch(PATH, { path, body });
  const rotate = async (_: object, api: Api) => {
    const { secret } = await api.post(`${PATH}/rotate-secret`, { path });
    setSecret(secret);
  };
  return (
    <>
      {status === "active" ? (
        <Decision
          label={t("pause")}
          title={t("pauseChannel", { name })}
          act={(_, api) => change({ status: "paused" }, api)}
        />
      ) : (
        <Decision
          label={t("resume")}
          title={t("resumeChannel", { name })}
          act={(_, api) => change({ status: "active" }, api)}
        />
      )}
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editChannel", { name })}
        act={(values, api) => change(channelEdit(values), api)}
        isWide
      >
        <ChannelFields of={of} />
      </Decision>
      <Decision label={t("rotate")} verb={t("replace")} title={t("rotateChannel", { name })} act={rotate} />
      <Decision
        label={t("revoke")}
        title={t("revokeChannel", { name })}
        act={(_, api) => api.delete(PATH, { path })}
        isDangerous
      />
    </>
  );
}
