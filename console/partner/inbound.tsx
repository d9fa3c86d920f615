import { Anchor, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { InboundActivity, InboundDetail, InboundTried } from "../../client/src/index.js";
import { Section } from "../desk/components/facts.js";
import { Form } from "../desk/components/form.js";
import { Json } from "../desk/components/json.js";
import { Empty, Loaded, Notice } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { outcomeText } from "../desk/pages/inbound/outcomes.js";
import { optionsOf } from "../desk/values.js";
import { type Api, useRead } from "../shared/api.js";
import { timeWithSeconds } from "../shared/format.js";
import { faultText } from "../texts/faults.js";
import { t as ofInbound } from "../texts/inbound.js";
import { t } from "../texts/partner.js";
import { scopeChoices, scopeText } from "../texts/scopes.js";
import { Commands, pushing } from "./commands.js";
import { Details } from "./details.js";
import { Rows } from "./rows.js";

/** What came with the partner's tokens, why some was refused, and what a push would become. */
export const Inbound = () => (
  <Section title={t("inbound")}>
    <Stack>
      <Text size="sm">{t("inboundHint")}</Text>
      <Loaded of={useRead("/api/partner/inbound", { query: { limit: 50 } })}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={t("nothingPushed")} />
          ) : (
            <Rows
              title={t("inbound")}
              look={t("lookAtPush")}
              heads={[t("record"), t("resource"), t("status"), t("received"), t("actions")]}
              rows={rows.map((one) => ({
                key: `${one.resource} ${one.inbound_id} ${one.status}`,
                cells: [
                  one.external_id,
                  scopeText(one.resource),
                  <Status key="status" of={one.status} />,
                  timeWithSeconds(one.received_at),
                ],
                more: <Push of={one} />,
              }))}
            />
          )
        }
      </Loaded>
      <Details title={t("tryPush")}>
        <Try />
      </Details>
      <Anchor href="/docs/inbound.html" size="sm">
        {t("aboutInbound")}
      </Anchor>
    </Stack>
  </Section>
);

const Push = ({ of: { resource, inbound_id } }: { of: InboundActivity }) => (
  <Loaded
    of={useRead("/api/partner/inbound/{resource}/{inbound_id}", { path: { resource: resource as never, inbound_id } })}
  >
    {(push) => (
      <Stack gap="xs">
        {push.refusal && (
          <Notice color="red" title={faultText(push.refusal.message) ?? push.refusal.error_kind}>
            {push.refusal.error_kind}
          </Notice>
        )}
        {push.source_payload ? (
          <Json title={ofInbound("source")} of={push.source_payload} />
        ) : (
          <Text size="sm">{ofInbound("noPayload")}</Text>
        )}
        {push.canonical_payload && (
          <Details title={ofInbound("canonical")}>
            <Json title={ofInbound("canonical")} of={push.canonical_payload} />
          </Details>
        )}
        {push.source_payload && (
          <Details title={t("tryPush")}>
            <Try of={push} />
          </Details>
        )}
      </Stack>
    )}
  </Loaded>
);

interface Attempt {
  tried: InboundTried;
  /** The push that would do it. */
  command: string;
}

/** A payload to try; at first that of a push. */
function Try({ of }: { of?: InboundDetail }) {
  const [attempt, setAttempt] = useState<Attempt>();
  return (
    <Loaded of={useRead("/api/partner/polling")}>
      {({ tokens }) => {
        const pushers = tokens.filter(({ source_system, status }) => source_system && status === "active");
        const systems = [...new Set(pushers.map(({ source_system }) => source_system ?? ""))];
        const resources = [...new Set(pushers.flatMap(({ inbound_resources }) => inbound_resources))];
        if (resources.length === 0) return <Text size="sm">{t("noPusher")}</Text>;
        const act = async ({ source_system = "", ...values }: Record<string, string>, api: Api) => {
          setAttempt(undefined);
          const source_payload = objectIn(values.payload);
          const { external_id = "", external_version = "" } = values;
          const resource = values.resource as never;
          const body = { source_system, resource, external_id, external_version, source_payload };
          const tried = await api.post("/api/partner/inbound/try", { body });
          setAttempt({ tried, command: pushing(resource, { external_id, external_version, source_payload }) });
        };
        return (
          <Stack>
            <Text size="sm">{t("tryHint")}</Text>
            <Form label={t("tryIt")} act={act}>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
                <NativeSelect
                  {...{ name: "source_system", label: t("system"), data: systems }}
                  defaultValue={of?.source_system}
                />
                <NativeSelect
                  {...{ name: "resource", label: t("resource"), data: optionsOf(scopeChoices(resources)) }}
                  defaultValue={of?.resource}
                />
                <TextInput
                  {...{ name: "external_id", label: t("yourId"), required: true }}
                  defaultValue={of?.external_id ?? "1"}
                />
                <TextInput
                  {...{ name: "external_version", label: t("yourVersion"), required: true }}
                  defaultValue={new Date().toISOString()}
                />
              </SimpleGrid>
              <Textarea
                {...{ name: "payload", label: t("payload"), rows: 8, required: true, spellCheck: false }}
                defaultValue={of && JSON.stringify(of.source_payload, null, 2)}
                styles={{ input: { fontFamily: "monospace" } }}
              />
            </Form>
            {attempt && <Outcome {...attempt} />}
          </Stack>
        );
      }}
    </Loaded>
  );
}

const Outcome = ({ tried, command }: Attempt) => (
  <>
    <Notice color={tried.refusal ? "red" : "green"} title={outcomeText(tried.outcome)}>
      {faultText(tried.refusal?.message ?? null)}
    </Notice>
    <Json title={t("outcome")} of={tried} />
    {!tried.refusal && (
      <>
        <Text size="sm">{t("pushHint")}</Text>
        <Commands title={t("pushCommand")} text={command} />
      </>
    )}
  </>
);

/** The JSON object of a text. */
function objectIn(text = ""): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  if (!value || typeof value !== "object" || Array.isArray(value)) throw new Error(ofInbound("notJson"));
  return value as Record<string, unknown>;
}
