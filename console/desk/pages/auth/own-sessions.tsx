import { Text } from "@mantine/core";
import type { UserSession } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/security.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { sessionColumns } from "./session-columns.js";

/** Where the own account is signed in. */
export const OwnSessions = () => (
  <Loaded of={useRead("/api/auth/sessions")}>
    {({ sessions }) => (
      <Section title={t("sessions")} actions={sessions.some(({ is_current }) => !is_current) && <EndOthers />}>
        <DataTable
          title={t("sessions")}
          rows={sessions}
          empty={t("noSessions")}
          columns={[
            ...sessionColumns(),
            { field: "actions", title: t("actions"), right: true, show: (session) => <End of={session} /> },
          ]}
        />
      </Section>
    )}
  </Loaded>
);

const EndOthers = () => (
  <Decision
    isSmall
    isDangerous
    label={t("endOthers")}
    title={t("endOthersTitle")}
    act={(_, api) => api.post("/api/auth/sessions/end-others")}
  />
);

const End = ({ of: { session_id, is_current } }: { of: UserSession }) =>
  is_current ? (
    <Text size="sm">{t("thisSession")}</Text>
  ) : (
    <Decision
      isSmall
      isDangerous
      label={t("endSession")}
      title={t("endSessionTitle")}
      act={(_, api) => api.delete("/api/auth/sessions/{session_id}", { path: { session_id } })}
    />
  );
