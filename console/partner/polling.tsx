import { Code, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Facts, Section } from "../desk/components/facts.js";
import { Loaded } from "../desk/components/states.js";
import { useRead } from "../shared/api.js";
import { number, time } from "../shared/format.js";
import { t } from "../texts/partner.js";

/** Commands that work as they stand, once the shell knows the token. */
const commands = (group: string, cursor: number) => `curl -H "X-WMS-Token: $TOKEN" \\
  "${location.origin}/api/v1/events?consumer_group=${encodeURIComponent(group)}&limit=500"
curl -H "X-WMS-Token: $TOKEN" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ consumer_group: group, cursor })}' ${location.origin}/api/v1/events/ack`;

const withoutGroup = () => `curl -H "X-WMS-Token: $TOKEN" "${location.origin}/api/v1/events?after=0&limit=500"`;

/** How far the partner's readers are, and how one asks. */
export const Polling = () => (
  <Section title={t("polling")}>
    <Loaded of={useRead("/api/partner/polling")}>
      {({ newest_event_id, consumer_groups, tokens }) => {
        const groups = consumer_groups.map(({ consumer_group_id: name, last_cursor, behind }): [string, ReactNode] => [
          t("cursor", { name }),
          `${number(last_cursor)}, ${t("behind", { count: number(behind) })}`,
        ]);
        const names = tokens
          .filter(({ status }) => status === "active")
          .map(({ token_name: name, expires_at }) => t("tokenUntil", { name, time: time(expires_at) }));
        return (
          <Stack>
            <Text size="sm">{t("pollingHint")}</Text>
            <Facts
              of={[[t("newest"), number(newest_event_id)], ...groups, [t("tokens"), names.join("; ") || undefined]]}
            />
            <Code block tabIndex={0} role="region" aria-label={t("commands")} style={{ overflow: "auto" }}>
              {consumer_groups.length === 0
                ? withoutGroup()
                : consumer_groups
                    .map(({ consumer_group_id, last_cursor }) => commands(consumer_group_id, last_cursor))
                    .join("\n")}
            </Code>
          </Stack>
        );
      }}
    </Loaded>
  </Section>
);
