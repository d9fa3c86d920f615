import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import type { AgentAccessDecision, AgentAccess as Asked } from "../../../../client/src/index.js";
import { type Api, useAction, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/agent-access.js";
import { rightText } from "../../../texts/rights.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded, Notice, Refused } from "../../components/states.js";

type Query = Omit<AgentAccessDecision, "is_allowed" | "is_read_only">;

/** The parameters of OAuth that the service knows; a program may send others, which say nothing here. */
const KNOWN = [
  ...["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method"],
  ...["state", "scope", "resource"],
];

/** Where a program sends its user who wants to be let in by OAuth. */
export default function AgentAccess() {
  const given = new URLSearchParams(useLocation().search);
  const query = Object.fromEntries(
    KNOWN.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])),
  ) as Query;
  return (
    <Page title={t("title")}>
      {given.size === 0 ? <Empty title={t("nobodyAsks")} text={t("nobodyAsksText")} /> : <Answer to={query} />}
    </Page>
  );
}

const Answer = ({ to: query }: { to: Query }) => (
  <Loaded of={useRead("/api/auth/agent-access", { query })}>
    {(asked) => <Question asked={asked} query={query} />}
  </Loaded>
);

function Question({ asked, query }: { asked: Asked; query: Query }) {
  const { client_name: name, client_site, returns_to, is_local, is_read_only, functions, ends_at } = asked;
  const { username } = useMe();
  const [rights, setRights] = useState(is_read_only ? "read" : "write");
  const decide = useAction(
    ({ is_allowed }: { is_allowed: boolean }, api: Api) =>
      api.post("/api/auth/agent-access", { body: { ...query, is_allowed, is_read_only: rights === "read" } }),
    ({ redirect_to }) => location.assign(redirect_to),
  );
  const isGoing = decide.isPending || decide.isSuccess;
  return (
    <Section title={t("wants", { name })}>
      <Stack maw={720}>
        <Facts
          of={[
            [t("program"), name],
            [t("site"), client_site ?? t("noSite")],
            [t("worksFor"), username],
            [t("returnsTo"), is_local ? t("thisComputer", { site: returns_to }) : returns_to],
            [t("until"), time(ends_at)],
          ]}
        />
        <Notice color="yellow" title={t("unchecked")}>
          {t("uncheckedHint")}
        </Notice>
        {functions && <Text>{t("onlyFloor", { functions: functions.map(rightText).join(", ") })}</Text>}
        {is_read_only ? (
          <Text>{t("readsAll")}</Text>
        ) : (
          <Radio.Group label={t("may")} value={rights} onChange={setRights}>
            <Stack gap="xs" mt="xs">
              <Radio value="read" label={t("reads")} />
              <Radio value="write" label={t("writes")} description={t("writesHint")} />
            </Stack>
          </Radio.Group>
        )}
        <Text size="sm" c="dimmed">
          {t("revocable")}
        </Text>
        <Refused error={decide.error} />
        <Group>
          <Button onClick={() => decide.mutate({ is_allowed: true })} loading={isGoing}>
            {t("letIn")}
          </Button>
          <Button variant="default" onClick={() => decide.mutate({ is_allowed: false })} disabled={isGoing}>
            {t("reject")}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
