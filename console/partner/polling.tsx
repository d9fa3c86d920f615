import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { PartnerToken as Token } from "../../client/src/index.js";
import { Facts, Section } from "../desk/components/facts.js";
import { Loaded } from "../desk/components/states.js";
import { useRead } from "../shared/api.js";
import { number, time } from "../shared/format.js";
import { t } from "../texts/partner.js";
import { scopeList } from "../texts/scopes.js";
import { Commands, readingAll, readingAs } from "./commands.js";

const isActive = ({ status }: Token) => status === "active";
const reads = ({ endpoints }: Token) => endpoints.includes("events.poll");

/** How far the partner's readers are, and how one asks. */
export const Polling = () => (
  <Section title={t("polling")}>
    <Loaded of={useRead("/api/partner/polling")}>
      {({ newest_event_id, consumer_groups, tokens: all }) => {
        const tokens = all.filter(isActive);
        const groups = consumer_groups.map(({ consumer_group_id: name, last_cursor, behind }): [string, ReactNode] => [
          t("cursor", { name }),
          `${number(last_cursor)}, ${t("behind", { count: number(behind) })}`,
        ]);
        const readers = consumer_groups.map(({ consumer_group_id }) => readingAs(consumer_group_id));
        return (
          <Stack>
            <Text size="sm">{t("pollingHint")}</Text>
            <Facts
              of={[
                [t("newest"), number(newest_event_id)],
                ...groups,
                ...tokens.map((token): [string, ReactNode] => [
                  t("tokenOf", { name: token.token_name }),
                  [scopeList([...token.endpoints, ...token.inbound_resources]), time(token.expires_at)].join(" · "),
                ]),
              ]}
            />
            {tokens.some(reads) ? (
              <>
                <Text size="sm">{t("tokenHint")}</Text>
                <Commands title={t("commands")} text={(readers.length > 0 ? readers : [readingAll()]).join("\n")} />
              </>
            ) : (
              <Text size="sm">{t("noReader")}</Text>
            )}
            <Anchor href="/docs/polling.html" size="sm">
              {t("aboutPolling")}
            </Anchor>
          </Stack>
        );
      }}
    </Loaded>
  </Section>
);
