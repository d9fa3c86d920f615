import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { PartnerSelf, PartnerWebhook, TestedWebhook } from "../../client/src/index.js";
import { Choices, chosenOf } from "../desk/components/choices.js";
import { Decision } from "../desk/components/decision.js";
import { Facts, Section } from "../desk/components/facts.js";
import { ShownOnce } from "../desk/components/shown-once.js";
import { Empty, Loaded, Notice } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { namesOf } from "../desk/components/warehouse-names.js";
import type { Selection } from "../desk/pages/outbound/selection.js";
import { formatText, payloadText, signatureText } from "../desk/pages/outbound/webhooks/more-fields.js";
import { pauseReasonText } from "../desk/pages/outbound/webhooks/pause-reasons.js";
import { standOf } from "../desk/pages/outbound/webhooks/stand.js";
import { type Api, reading } from "../shared/api.js";
import { number } from "../shared/format.js";
import { errorKindText, faultText } from "../texts/faults.js";
import { t } from "../texts/partner.js";
import { scopeList, scopeText } from "../texts/scopes.js";
import { Deliveries } from "./deliveries.js";
import { LOOKED_AT_MS } from "./looked-at.js";
import { isOpen, useSandbox } from "./sandbox.js";
import { Verifying } from "./verifying.js";

const LIST = "/api/partner/webhooks";
const PATH = "/api/partner/webhooks/{subscription_id}";
type Values = Record<string, string>;

interface Secret {
  name: string;
  secret: string;
}

/** Where the partner's events are sent, and all that can be done about it. */
export function Webhooks({ of }: { of: PartnerSelf }) {
  const [shown, show] = useState<Secret>();
  // The figures change while somebody looks.
  const read = useQuery({ ...reading(LIST), refetchInterval: LOOKED_AT_MS });
  const sandbox = useSandbox().data?.sandbox;
  const add = async (values: Values, api: Api) => {
    const event_types = chosenOf(values, "event_types") as typeof of.event_types as never;
    const warehouse_ids = values.warehouse ? [Number(values.warehouse)] : undefined;
    const body = { ...edited(values), event_types, warehouse_ids };
    const { display_name: name, secret } = await api.post(LIST, { body });
    show({ name, secret });
  };
  const codes = Object.fromEntries(
    [...of.warehouses, ...(sandbox ? [sandbox] : [])].map((one) => [one.warehouse_id, one.warehouse_code]),
  );
  const choices = Object.fromEntries(of.event_types.map((type) => [type, scopeText(type)]));
  return (
    <Section
      title={t("webhooks")}
      actions={
        of.event_types.length > 0 && (
          <Decision label={t("add")} verb={t("create")} title={t("add")} act={add} isWide>
            <Fields />
            {isOpen(sandbox) && (
              <NativeSelect
                name="warehouse"
                label={t("eventsOf")}
                data={[
                  { value: "", label: t("warehousesOfLink") },
                  { value: `${sandbox.warehouse_id}`, label: t("sandboxAlone") },
                ]}
              />
            )}
            <Choices name="event_types" label={t("event")} choices={choices} chosen={of.event_types} />
          </Decision>
        )
      }
    >
      <Stack>
        {shown && (
          <ShownOnce title={t("secretOf", { name: shown.name })} secret={shown.secret} close={() => show(undefined)} />
        )}
        <Loaded of={read}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty title={t("noWebhooks")} />
            ) : (
              webhooks.map((one) => <Webhook key={one.subscription_id} of={one} codes={codes} show={show} />)
            )
          }
        </Loaded>
        <Verifying />
      </Stack>
    </Section>
  );
}

const Fields = ({ of }: { of?: PartnerWebhook }) => (
  <>
    <TextInput name="display_name" label={t("name")} defaultValue={of?.display_name} required data-autofocus />
    <TextInput
      {...{ name: "delivery_url", type: "url", label: t("url"), description: t("urlHint"), required: true }}
      defaultValue={of?.delivery_url}
    />
    <NativeSelect
      name="signature"
      label={t("signature")}
      defaultValue={of?.signature ?? "hmac"}
      data={[
        { value: "hmac", label: t("byHmac") },
        { value: "ed25519", label: t("byEd25519") },
      ]}
    />
  </>
);

const edited = ({ display_name = "", delivery_url = "", signature }: Values) => ({
  ...{ display_name, delivery_url, signature: signature as PartnerWebhook["signature"] },
});

interface WebhookProps {
  of: PartnerWebhook;
  /** The codes of the partner's warehouses, by id. */
  codes: Record<string, string>;
  show: (secret: Secret) => void;
}

function Webhook({ of, codes, show }: WebhookProps) {
  const { subscription_id, display_name: name, status, stats, public_keys = [] } = of;
  const { event_types = [], warehouse_ids = [] } = (of.subscription_filter ?? {}) as Selection;
  const [tested, setTested] = useState<TestedWebhook>();
  const path = { subscription_id };
  const change = (body: object) => (_: Values, api: Api) => api.patch(PATH, { path, body });
  const rotate = async (_: Values, api: Api) => {
    const { secret } = await api.post(`${PATH}/rotate-secret`, { path });
    show({ name, secret });
  };
  const test = async (_: Values, api: Api) => setTested(await api.post(`${PATH}/test`, { path }));
  const facts: [string, ReactNode][] = [
    [t("url"), of.delivery_url],
    [t("event"), scopeList(event_types) || t("all")],
    [t("warehouses"), namesOf(warehouse_ids, codes) || t("all")],
    [t("signature"), signatureText(of.signature)],
    [
      t("form"),
      of.payload !== "full" || of.format !== "envelope"
        ? [payloadText(of.payload), formatText(of.format)].join(" · ")
        : t("usualForm"),
    ],
    [t("waiting"), number(stats.pending_count)],
    [t("delivered24"), number(stats.succeeded_24h)],
    [t("failed24"), number(stats.failed_24h + stats.dlq_24h)],
    ...(of.pause_reason ? [[t("pausedBecause"), pauseReasonText(of.pause_reason)] as [string, ReactNode]] : []),
    [t("lastEvent"), number(of.last_delivered_event_id)],
  ];
  return (
    <Section
      title={name}
      actions={
        status !== "revoked" && (
          <>
            <Decision isSmall label={t("test")} title={t("testWebhook", { name })} act={test} />
            {status === "active" ? (
              <Decision
                isSmall
                label={t("pause")}
                title={t("pauseWebhook", { name })}
                act={change({ status: "paused" })}
              />
            ) : (
              <Decision
                isSmall
                label={t("resume")}
                title={t("resumeWebhook", { name })}
                act={change({ status: "active" })}
              />
            )}
            <Decision
              {...{ isSmall: true, label: t("edit"), verb: t("save"), title: t("editWebhook", { name }) }}
              act={(values, api) => api.patch(PATH, { path, body: edited(values) })}
            >
              <Fields of={of} />
            </Decision>
            <Decision isSmall label={t("newSecret")} title={t("rotateWebhook", { name })} act={rotate} />
          </>
        )
      }
    >
      <Stack>
        <Status of={standOf(of)} />
        <Facts of={facts} />
        {public_keys.length > 0 && (
          <Text size="sm">
            {t("publicKeys")}: {public_keys.join(" ")}
          </Text>
        )}
        {tested && (
          <Notice color={tested.delivered ? "green" : "red"} title={t(tested.delivered ? "arrived" : "notArrived")}>
            {[tested.status_code, errorKindText(tested.error_kind), faultText(tested.error_detail)]
              .filter(Boolean)
              .join(" · ")}
          </Notice>
        )}
        <Deliveries of={of} />
      </Stack>
    </Section>
  );
}
