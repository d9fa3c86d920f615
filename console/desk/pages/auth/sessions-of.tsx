import { Text } from "@mantine/core";
import type { User } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/security.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { sessionColumns } from "./session-columns.js";

/** Where a user is signed in, for an ADMIN, who ends it all. */
export function SessionsOf({ user: { user_id, username: name } }: { user: User }) {
  const path = { user_id };
  return (
    <Loaded of={useRead("/api/admin/users/{user_id}/sessions", { path })}>
      {({ sessions }) => (
        <Section
          title={t("sessions")}
          actions={
            <Decision
              isSmall
              isDangerous
              label={t("endAll")}
              title={t("endAllTitle", { name })}
              act={(_, api) => api.delete("/api/admin/users/{user_id}/sessions", { path })}
            >
              <Text size="sm">{t("endAllHint")}</Text>
            </Decision>
          }
        >
          <DataTable title={t("sessions")} rows={sessions} empty={t("noSessions")} columns={sessionColumns()} />
        </Section>
      )}
    </Loaded>
  );
}
