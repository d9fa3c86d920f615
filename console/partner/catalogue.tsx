import { Anchor, Stack } from "@mantine/core";
import type { PartnerSelf } from "../../client/src/index.js";
import { Section } from "../desk/components/facts.js";
import { Json } from "../desk/components/json.js";
import { Loaded } from "../desk/components/states.js";
import { useRead } from "../shared/api.js";
import { t } from "../texts/partner.js";
import { scopeText } from "../texts/scopes.js";
import { Details } from "./details.js";

interface Message {
  title: string;
  payload: { $ref?: string };
  examples: { payload: object }[];
}

/** What this page reads of the AsyncAPI document. */
interface Components {
  messages: Record<string, Message>;
  schemas: Record<string, object>;
}

/** The events that the link allows, each with an example and its schema. */
export const Catalogue = ({ of }: { of: PartnerSelf }) => (
  <Section title={t("catalogue")}>
    <Loaded of={useRead("/api/asyncapi.json")}>
      {(document) => {
        const { messages, schemas } = (document as never as { components: Components }).components;
        const wanted = [...of.event_types, "webhook.test"];
        return (
          <Stack gap="xs">
            <Anchor href="/api/asyncapi.json" size="sm">
              {t("wholeCatalogue")}
            </Anchor>
            {Object.values(messages)
              .filter(({ title }) => wanted.includes(title))
              .map(({ title, payload, examples: [example] }) => {
                const event = scopeText(title);
                const schema = schemas[payload.$ref?.split("/").at(-1) ?? ""] ?? payload;
                return (
                  <Details key={title} title={event === title ? title : `${event} (${title})`}>
                    <Stack gap="xs">
                      <Json title={t("exampleOf", { event })} of={example?.payload ?? {}} />
                      <Details title={t("schemaOf", { event })}>
                        <Json title={t("schemaOf", { event })} of={schema} />
                      </Details>
                    </Stack>
                  </Details>
                );
              })}
          </Stack>
        );
      }}
    </Loaded>
  </Section>
);
