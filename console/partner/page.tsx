import { Box, Button, Group, NativeSelect, Stack, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { PartnerSelf } from "../../client/src/index.js";
import { Facts, Section } from "../desk/components/facts.js";
import { Empty, Refused, Waiting } from "../desk/components/states.js";
import { api } from "../shared/api.js";
import { time } from "../shared/format.js";
import { languages, setLanguage, useLanguage } from "../shared/language.js";
import {
  forgetPartnerSession,
  keepPartnerSession,
  PARTNER,
  partnerSession,
  SESSION_ENDED,
} from "../shared/partner-session.js";
import { t } from "../texts/partner.js";
import { scopeText } from "../texts/scopes.js";
import { Catalogue } from "./catalogue.js";
import { Inbound } from "./inbound.js";
import { Polling } from "./polling.js";
import { Sandbox } from "./sandbox.js";
import { Webhooks } from "./webhooks.js";

/** A token is exchanged once, however often the page is drawn. */
let exchanged: Promise<void> | undefined;
function exchange(token: string): Promise<void> {
  // The link that is opened counts, and not the one before it, whether it opens anything or not.
  if (!exchanged) forgetPartnerSession();
  exchanged ??= api
    .post("/api/partner/session", { body: { token } })
    .then(({ session }) => keepPartnerSession(session));
  return exchanged;
}

async function self(token: string): Promise<PartnerSelf | typeof SESSION_ENDED | null> {
  if (token) await exchange(token);
  return partnerSession() ? api.get("/api/partner/me") : null;
}

/** All of a partner's page: it is about one program, so it needs no menu. */
export function PartnerPage({ token }: { token: string }) {
  const { data, error, isPending } = useQuery({ queryKey: PARTNER, queryFn: () => self(token), staleTime: Infinity });
  useEffect(() => {
    document.title = t("title");
  }, []);
  if (isPending) return <Waiting />;
  if (data && data !== SESSION_ENDED) return <Opened of={data} />;
  const isEnded = data === SESSION_ENDED;
  return (
    <Frame>
      {error && !isEnded && <Refused error={error} />}
      {isEnded ? (
        <Empty title={t("ended")} text={t("endedText")} />
      ) : (
        <Empty title={t("noLink")} text={t("noLinkText")} />
      )}
    </Frame>
  );
}

const Opened = ({ of }: { of: PartnerSelf }) => {
  const client = useQueryClient();
  const leave = () => {
    forgetPartnerSession();
    client.setQueryData(PARTNER, null);
  };
  return (
    <Frame
      actions={
        <Button variant="default" onClick={leave}>
          {t("leave")}
        </Button>
      }
    >
      <Section title={of.display_name}>
        <Facts
          of={[
            [t("program"), of.connector_id],
            [t("link"), of.link_name],
            [t("opensUntil"), time(of.expires_at)],
            [t("warehouses"), of.warehouses.map(({ warehouse_code }) => warehouse_code).join(", ") || undefined],
            [t("mayWant"), of.event_types.map(scopeText).join(", ") || undefined],
          ]}
        />
      </Section>
      <Webhooks of={of} />
      <Catalogue of={of} />
      <Polling />
      <Sandbox />
      <Inbound />
    </Frame>
  );
};

function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const language = useLanguage();
  return (
    <>
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <Box component="main" id="content" tabIndex={-1} p="md" maw={1200} mx="auto">
        <Stack>
          <Group justify="space-between">
            <Title order={1} size="h3">
              {t("title")}
            </Title>
            <Group gap="sm">
              <NativeSelect
                aria-label={t("language")}
                value={language}
                onChange={({ currentTarget }) => setLanguage(currentTarget.value as "en")}
                data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
              />
              {actions}
            </Group>
          </Group>
          {children}
        </Stack>
      </Box>
    </>
  );
}
