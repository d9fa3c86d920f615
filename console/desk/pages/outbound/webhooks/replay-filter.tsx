import { NativeSelect, Text, TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { useRead } from "../../../../shared/api.js";
import { momentOf, number } from "../../../../shared/format.js";
import { eventTypes, scopeChoices } from "../../../../texts/scopes.js";
import { t } from "../../../../texts/webhooks.js";
import { Refused } from "../../../components/states.js";
import { optionsOf } from "../../../values.js";

/** The values of the fields, as the service takes them. */
export const filterOf = ({ status, event_type, from, to }: Record<string, string>) => ({
  ...(status && { status: status as "dlq" | "failed" | "succeeded" }),
  ...(event_type && { event_type }),
  ...(from && { completed_at_from: momentOf(from) }),
  ...(to && { completed_at_to: momentOf(to) }),
});

/** Which deliveries are sent again, and how many these are now. */
export function ReplayFilter({ subscription_id }: { subscription_id: string }) {
  const [values, setValues] = useState<Record<string, string>>({});
  const set = ({ currentTarget: { name, value } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    setValues((before) => ({ ...before, [name]: value }));
  const { data, error, isPlaceholderData } = useRead("/api/admin/webhooks/{subscription_id}/replay-batch", {
    ...{ path: { subscription_id }, query: filterOf(values) },
  });
  // The number of the filter before would be taken for that of this one.
  const count = isPlaceholderData ? undefined : data?.count;
  const events = optionsOf(scopeChoices(eventTypes));
  return (
    <>
      <NativeSelect
        name="status"
        label={t("which")}
        data={[
          { value: "dlq", label: t("dead") },
          { value: "failed", label: t("failed") },
          { value: "succeeded", label: t("succeeded") },
        ]}
        onChange={set}
        data-autofocus
      />
      <NativeSelect
        name="event_type"
        label={t("filterEvent")}
        data={[{ value: "", label: t("all") }, ...events]}
        onChange={set}
      />
      <TextInput name="from" type="datetime-local" label={t("from")} onChange={set} />
      <TextInput name="to" type="datetime-local" label={t("to")} onChange={set} />
      {error ? (
        <Refused error={error} />
      ) : (
        <Text role="status">{t("replayCount", { count: count === undefined ? "…" : number(count) })}</Text>
      )}
    </>
  );
}
