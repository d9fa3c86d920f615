import { Checkbox, NativeSelect, NumberInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { WebhookSubscription } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/webhooks.js";
import { ProgramField } from "../../../components/program-field.js";
import { type Selection, SelectionFields, selectionOf } from "../selection.js";
import { MoreFields, moreOf } from "./more-fields.js";
import { whole } from "./whole.js";

/** What can be changed of a subscription, and of a new one whose it is and where it begins. */
export const WebhookFields = ({ of }: { of?: WebhookSubscription }) => (
  <Stack>
    <TextInput name="display_name" label={t("name")} defaultValue={of?.display_name} required data-autofocus />
    {!of && <ProgramField />}
    <TextInput name="delivery_url" type="url" label={t("url")} defaultValue={of?.delivery_url} required />
    {!of && <StartFrom />}
    <SelectionFields of={(of?.subscription_filter ?? {}) as Selection} />
    <NumberInput
      name="rate_limit_per_second"
      label={t("rate")}
      defaultValue={of?.rate_limit_per_second ?? 50}
      {...{ min: 1, max: 100, required: true, ...whole }}
    />
    <NativeSelect
      name="ordering"
      label={t("ordering")}
      defaultValue={of?.ordering ?? "subscription"}
      data={orderings.map((value) => ({ value, label: orderingText(value) }))}
    />
    <NumberInput
      name="pending_ceiling"
      label={t("pendingCeiling")}
      defaultValue={of?.pending_ceiling ?? 10_000}
      {...{ min: 100, required: true, ...whole }}
    />
    <NumberInput
      name="dlq_ceiling"
      label={t("dlqCeiling")}
      defaultValue={of?.dlq_ceiling ?? 1_000}
      {...{ min: 10, required: true, ...whole }}
    />
    <Checkbox name="acknowledge_url_reuse" label={t("acknowledgeReuse")} />
    <MoreFields of={of} />
  </Stack>
);

const orderings = ["subscription", "aggregate"] as const;
const orderingTexts = { subscription: () => t("bySubscription"), aggregate: () => t("byAggregate") };
export const orderingText = (ordering: WebhookSubscription["ordering"]) => orderingTexts[ordering]();

function StartFrom() {
  const [from, setFrom] = useState("now");
  return (
    <>
      <NativeSelect
        name="start_from"
        label={t("startFrom")}
        value={from}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        data={[
          { value: "now", label: t("now") },
          { value: "beginning", label: t("beginning") },
          { value: "event", label: t("startEvent") },
        ]}
      />
      {from === "event" && (
        <NumberInput name="start_event" label={t("eventId")} min={1} required hideControls allowDecimal={false} />
      )}
    </>
  );
}

export const webhookEdit = (values: Record<string, string>) => ({
  display_name: values.display_name ?? "",
  delivery_url: values.delivery_url ?? "",
  subscription_filter: selectionOf(values),
  rate_limit_per_second: Number(values.rate_limit_per_second),
  pending_ceiling: Number(values.pending_ceiling),
  dlq_ceiling: Number(values.dlq_ceiling),
  ordering: values.ordering as WebhookSubscription["ordering"],
  acknowledge_url_reuse: "acknowledge_url_reuse" in values,
  ...moreOf(values),
});

export const newWebhook = (values: Record<string, string>) => ({
  ...webhookEdit(values),
  connector_id: values.connector_id ?? "",
  start_from: values.start_from === "event" ? Number(values.start_event) : (values.start_from as "now" | "beginning"),
});
