import { Text } from "@mantine/core";
import type { User } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/security.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Loaded } from "../../components/states.js";

/** The second factors of a user, for an ADMIN: whoever lost them has them reset. */
export function FactorsOf({ user: { user_id, username: name } }: { user: User }) {
  const path = { user_id };
  const isMe = useMe().user_id === user_id;
  return (
    <Loaded of={useRead("/api/admin/users/{user_id}/factors", { path })}>
      {({ totp, passkeys, recovery_codes_left }) => (
        <Section
          title={t("secondFactor")}
          actions={
            (totp || passkeys.length > 0) &&
            !isMe && (
              <Decision
                isSmall
                isDangerous
                label={t("resetFactors")}
                title={t("resetFactorsTitle", { name })}
                act={(_, api) => api.delete("/api/admin/users/{user_id}/factors", { path })}
              >
                <Text size="sm">{t("resetFactorsHint")}</Text>
              </Decision>
            )
          }
        >
          {totp || passkeys.length > 0 ? (
            <Facts
              of={[
                [t("app"), time(totp?.confirmed_at)],
                [t("passkeys"), passkeys.map(({ passkey_name }) => passkey_name).join(", ") || undefined],
                [t("codesLeft"), recovery_codes_left],
              ]}
            />
          ) : (
            <Text size="sm">{t("noFactor")}</Text>
          )}
        </Section>
      )}
    </Loaded>
  );
}
