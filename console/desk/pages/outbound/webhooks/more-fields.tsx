import {
  Checkbox,
  Fieldset,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { WebhookSubscription } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/webhooks.js";
import { whole } from "./whole.js";

/** What most partners need nothing of, folded until somebody wants it. What is secret is only ever replaced. */
export const MoreFields = ({ of }: { of?: WebhookSubscription | undefined }) => (
  <details>
    <summary>{t("more")}</summary>
    <Stack pt="sm">
      <NativeSelect
        name="signature"
        label={t("signature")}
        defaultValue={of?.signature ?? "hmac"}
        data={signatures.map((value) => ({ value, label: signatureText(value) }))}
      />
      <NativeSelect
        name="payload"
        label={t("content")}
        defaultValue={of?.payload ?? "full"}
        data={payloads.map((value) => ({ value, label: payloadText(value) }))}
      />
      <NativeSelect
        name="format"
        label={t("form")}
        defaultValue={of?.format ?? "envelope"}
        data={formats.map((value) => ({ value, label: formatText(value) }))}
      />
      <NumberInput
        name="batch_max_events"
        label={t("batchOf")}
        description={t("batchHint")}
        defaultValue={of?.batch?.max_events}
        {...{ min: 1, max: 100, ...whole }}
      />
      <NumberInput
        name="batch_max_wait_ms"
        label={t("batchWait")}
        defaultValue={of?.batch?.max_wait_ms ?? 1_000}
        {...{ min: 0, max: 60_000, ...whole }}
      />
      <ContactField of={of} />
      <TlsFields of={of} />
      <OAuthFields of={of} />
    </Stack>
  </details>
);

const signatures = ["hmac", "ed25519"] as const;
const signatureTexts = { hmac: () => t("byHmac"), ed25519: () => t("byEd25519") };
export const signatureText = (signature: WebhookSubscription["signature"]) => signatureTexts[signature]();

const payloads = ["full", "thin"] as const;
const payloadTexts = { full: () => t("wholeEvents"), thin: () => t("thinEvents") };
export const payloadText = (payload: WebhookSubscription["payload"]) => payloadTexts[payload]();

const formats = ["envelope", "cloudevents-binary", "cloudevents-structured"] as const;
const formatTexts = {
  envelope: () => t("ownForm"),
  "cloudevents-binary": () => t("cloudEventHeaders"),
  "cloudevents-structured": () => t("cloudEventBody"),
};
export const formatText = (format: WebhookSubscription["format"]) => formatTexts[format]();

/** Whoever may not read the destinations leaves it as it is. */
function ContactField({ of }: { of: WebhookSubscription | undefined }) {
  const { data } = useRead("/api/admin/notification-webhooks");
  if (!data) return null;
  const destinations = data.notification_webhooks.map(({ webhook_id, host_preview, warehouse_code }) => ({
    ...{ value: String(webhook_id), label: `${host_preview} (${warehouse_code})` },
  }));
  return (
    <NativeSelect
      name="contact_webhook_id"
      label={t("contact")}
      description={t("contactHint")}
      defaultValue={String(of?.contact_webhook_id ?? "")}
      data={[{ value: "", label: t("nobody") }, ...destinations]}
    />
  );
}

const pem = { autosize: true, minRows: 2, maxRows: 4, spellCheck: false, placeholder: "-----BEGIN …" } as const;

const TlsFields = ({ of }: { of: WebhookSubscription | undefined }) => (
  <Fieldset legend={t("tls")}>
    <Stack>
      {of?.client_tls && (
        <>
          <Text size="sm">{of.client_tls.subject ?? t("onlyAuthority")}</Text>
          <Checkbox name="tls_remove" label={t("tlsRemove")} />
        </>
      )}
      <Textarea name="tls_certificate" label={t("tlsCertificate")} {...pem} />
      <Textarea name="tls_private_key" label={t("tlsKey")} {...pem} />
      <Textarea name="tls_ca" label={t("tlsAuthority")} {...pem} />
    </Stack>
  </Fieldset>
);

const OAuthFields = ({ of }: { of: WebhookSubscription | undefined }) => (
  <Fieldset legend={t("oauth")}>
    <Stack>
      {of?.oauth && (
        <>
          <Text size="sm">{`${of.oauth.client_id}, ${of.oauth.token_url}`}</Text>
          <Checkbox name="oauth_remove" label={t("oauthRemove")} />
        </>
      )}
      <TextInput name="oauth_token_url" type="url" label={t("tokenUrl")} />
      <TextInput name="oauth_client_id" label={t("clientId")} autoComplete="off" />
      <PasswordInput name="oauth_client_secret" label={t("clientSecret")} autoComplete="off" />
      <TextInput name="oauth_scope" label={t("scope")} />
      <TextInput name="oauth_audience" label={t("audience")} />
    </Stack>
  </Fieldset>
);

type Values = Record<string, string>;

/** What of these fields a request says: nothing of what was left as it is. */
export const moreOf = (values: Values) => ({
  signature: values.signature as WebhookSubscription["signature"],
  payload: values.payload as WebhookSubscription["payload"],
  format: values.format as WebhookSubscription["format"],
  batch: values.batch_max_events
    ? { max_events: Number(values.batch_max_events), max_wait_ms: Number(values.batch_max_wait_ms) }
    : null,
  ...("contact_webhook_id" in values && { contact_webhook_id: Number(values.contact_webhook_id) || null }),
  ...("tls_remove" in values ? { client_tls: null } : tlsOf(values)),
  ...("oauth_remove" in values ? { oauth: null } : oauthOf(values)),
});

function tlsOf({ tls_certificate, tls_private_key, tls_ca }: Values) {
  const client_tls = { certificate: tls_certificate || null, private_key: tls_private_key || null, ca: tls_ca || null };
  return Object.values(client_tls).some(Boolean) ? { client_tls } : {};
}

function oauthOf({ oauth_token_url, oauth_client_id = "", oauth_client_secret = "", ...values }: Values) {
  if (!oauth_token_url) return {};
  const { oauth_scope: scope, oauth_audience: audience } = values;
  return {
    oauth: {
      ...{ token_url: oauth_token_url, client_id: oauth_client_id, client_secret: oauth_client_secret },
      ...{ scope: scope || null, audience: audience || null },
    },
  };
}
