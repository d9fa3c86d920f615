import { Text } from "@mantine/core";
import type { User, UserSignIn } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { isAdmin, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/auth.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Loaded } from "../../components/states.js";

/** Where a user signs in: with a password, or at the company's identity provider. */
export function HowSignsIn({ user }: { user: User }) {
  const path = { user_id: user.user_id };
  const found = useRead("/api/admin/users/{user_id}/sign-in", { path });
  const mayChange = isAdmin(useMe());
  return (
    <Loaded of={found}>
      {(signIn) => (
        <Section title={t("howOneSignsIn")} actions={mayChange && <Actions {...{ user, signIn }} />}>
          <Facts of={[[t("howOneSignsIn"), where(signIn)]]} />
          {signIn.is_break_glass && (
            <Text size="sm" mt="sm">
              {t("breakGlass")}: {t("breakGlassHint")}
            </Text>
          )}
        </Section>
      )}
    </Loaded>
  );
}

function where({ provider }: UserSignIn): string {
  if (!provider) return t("withPassword");
  return provider.subject === null ? t("linkedNotYet") : t("linkedAs", { subject: provider.subject });
}

function Actions({ user: { user_id, username: name, role }, signIn }: { user: User; signIn: UserSignIn }) {
  const { is_break_glass, provider } = signIn;
  const path = { user_id };
  return (
    <>
      {(is_break_glass || (role === "ADMIN" && !provider)) && (
        <Decision
          isSmall
          label={t(is_break_glass ? "breakGlassNo" : "breakGlass")}
          title={t(is_break_glass ? "breakGlassNoTitle" : "breakGlassTitle", { name })}
          act={(_, api) =>
            api.put("/api/admin/users/{user_id}/sign-in", { path, body: { is_break_glass: !is_break_glass } })
          }
        >
          <Text size="sm">{t("breakGlassHint")}</Text>
        </Decision>
      )}
      {!is_break_glass && (
        <Decision
          isSmall
          isDangerous={provider !== null}
          label={t(provider ? "unlink" : "link")}
          title={t(provider ? "unlinkTitle" : "linkTitle", { name })}
          act={(_, api) => api.put("/api/admin/users/{user_id}/sign-in", { path, body: { is_linked: !provider } })}
        >
          <Text size="sm">{t(provider ? "unlinkHint" : "linkHint")}</Text>
        </Decision>
      )}
    </>
  );
}
