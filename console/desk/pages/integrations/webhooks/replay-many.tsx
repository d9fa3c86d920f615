import { Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import { api } from "../../../../shared/api.js";
import { momentOf, number } from "../../../../shared/format.js";
import { scopeChoices } from "../../../../texts/scopes.js";
import { t } from "../../../../texts/webhooks.js";
import { Decision } from "../../../components/decision.js";
import { eventTypes } from "../event-types.js";

interface ReplayManyProps {
  subscription_id: string;
  name: string;
  /** How many dead letters there are. */
  dead: number;
  done: (count: number) => void;
}

/** Sends the events of many deliveries again, after saying how many there are. */
export function ReplayMany({ subscription_id, name, dead, done }: ReplayManyProps) {
  const replay = async (values: Record<string, string>, idempotencyKey: string) => {
    const { status, event_type, from, to } = values;
    const filter = {
      status: status as "dlq" | "failed" | "succeeded",
      ...(event_type && { event_type }),
      ...(from && { completed_at_from: momentOf(from) }),
      ...(to && { completed_at_to: momentOf(to) }),
    };
    const { replayed_count } = await api.post("/api/admin/webhooks/{subscription_id}/replay-batch", {
      path: { subscription_id },
      body: { filter, acknowledge_large_replay: "acknowledge" in values },
      idempotencyKey,
    });
    done(replayed_count);
  };
  const events = Object.entries(scopeChoices(eventTypes)).map(([value, label]) => ({ value, label }));
  return (
    <Decision label={t("replayAll")} title={t("replayMany", { name })} act={replay}>
      <Text>{t("replayEstimate", { count: number(dead) })}</Text>
      <NativeSelect
        name="status"
        label={t("which")}
        data={[
          { value: "dlq", label: t("dead") },
          { value: "failed", label: t("failed") },
          { value: "succeeded", label: t("succeeded") },
        ]}
        data-autofocus
      />
      <NativeSelect name="event_type" label={t("filterEvent")} data={[{ value: "", label: t("all") }, ...events]} />
      <TextInput name="from" type="datetime-local" label={t("from")} />
      <TextInput name="to" type="datetime-local" label={t("to")} />
      <Checkbox name="acknowledge" label={t("acknowledgeLarge")} />
    </Decision>
  );
}
