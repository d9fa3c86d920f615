import { Checkbox } from "@mantine/core";
import type { Api } from "../../../../shared/api.js";
import { t } from "../../../../texts/webhooks.js";
import { Decision } from "../../../components/decision.js";
import { filterOf, ReplayFilter } from "./replay-filter.js";

interface ReplayManyProps {
  subscription_id: string;
  name: string;
  done: (count: number) => void;
}

/** Sends the events of many deliveries again, after saying how many there are. */
export function ReplayMany({ subscription_id, name, done }: ReplayManyProps) {
  const replay = async (values: Record<string, string>, api: Api) => {
    const { replayed_count } = await api.post("/api/admin/webhooks/{subscription_id}/replay-batch", {
      path: { subscription_id },
      body: { filter: filterOf(values), acknowledge_large_replay: "acknowledge" in values },
    });
    done(replayed_count);
  };
  return (
    <Decision label={t("replayAll")} title={t("replayMany", { name })} act={replay}>
      <ReplayFilter subscription_id={subscription_id} />
      <Checkbox name="acknowledge" label={t("acknowledgeLarge")} />
    </Decision>
  );
}
