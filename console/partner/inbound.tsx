import { NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { InboundActivity, InboundTried } from "../../client/src/index.js";
import { Facts, Section } from "../desk/components/facts.js";
import { Form } from "../desk/components/form.js";
import { Json } from "../desk/components/json.js";
import { Empty, Loaded, Notice } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { type Api, useRead } from "../shared/api.js";
import { time } from "../shared/format.js";
import { t } from "../texts/partner.js";
import { Details } from "./details.js";
import { Rows } from "./rows.js";

/** What came with the partner's tokens, why some was refused, and what a push would become. */
export const Inbound = () => (
  <Section title={t("inbound")}>
    <Stack>
      <Loaded of={useRead("/api/partner/inbound", { query: { limit: 50 } })}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={t("nothingPushed")} />
          ) : (
            <Rows
              title={t("inbound")}
              heads={[t("record"), t("resource"), t("status"), t("received"), t("why")]}
              rows={rows.map((one) => [
                `${one.resource} ${one.inbound_id} ${one.status}`,
                [
                  one.external_id,
                  one.resource,
                  <Status key="status" of={one.status} />,
                  time(one.received_at),
                  <Details key="why" title={t("why")}>
                    <Push of={one} />
                  </Details>,
                ],
              ])}
            />
          )
        }
      </Loaded>
      <Details title={t("tryPush")}>
        <Try />
      </Details>
    </Stack>
  </Section>
);

const Push = ({ of: { resource, inbound_id } }: { of: InboundActivity }) => (
  <Loaded
    of={useRead("/api/partner/inbound/{resource}/{inbound_id}", { path: { resource: resource as never, inbound_id } })}
  >
    {({ refusal, source_payload, canonical_payload }) => (
      <Json title={t("why")} of={{ refusal, source_payload, canonical_payload }} />
    )}
  </Loaded>
);

function Try() {
  const [tried, setTried] = useState<InboundTried>();
  const [isJson, setIsJson] = useState(true);
  return (
    <Loaded of={useRead("/api/partner/polling")}>
      {({ tokens }) => {
        const pushing = tokens.filter(({ source_system, status }) => source_system && status === "active");
        const systems = [...new Set(pushing.map(({ source_system }) => source_system ?? ""))];
        const resources = [...new Set(pushing.flatMap(({ inbound_resources }) => inbound_resources))];
        const act = async (values: Record<string, string>, api: Api) => {
          const source_payload = parsed(values.payload);
          setIsJson(source_payload !== undefined);
          if (!source_payload) return;
          const { source_system = "", resource } = values;
          const body = { source_system, resource: resource as never, source_payload };
          setTried(await api.post("/api/partner/inbound/try", { body }));
        };
        return (
          <Stack>
            <Text size="sm">{t("tryHint")}</Text>
            <Form label={t("tryIt")} act={act}>
              <NativeSelect name="source_system" label={t("system")} data={systems} />
              <NativeSelect name="resource" label={t("resource")} data={resources} />
              <Textarea name="payload" label={t("payload")} rows={6} required spellCheck={false} />
            </Form>
            {!isJson && <Notice color="red" title={t("noJson")} />}
            {tried && isJson && (
              <>
                <Facts
                  of={[
                    [t("outcome"), tried.outcome],
                    [t("why"), tried.refusal?.message],
                  ]}
                />
                <Json title={t("outcome")} of={tried} />
              </>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The JSON object of a text; undefined where it is none. */
function parsed(text = ""): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
