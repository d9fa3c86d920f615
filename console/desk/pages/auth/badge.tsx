import { Box, Text } from "@mantine/core";
import { useState } from "react";
import type { User } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { saveBase64 } from "../../../shared/save.js";
import { t } from "../../../texts/auth.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { person } from "../../components/person.js";
import { LabelFields } from "../../components/print-label.js";
import { ShownOnce } from "../../components/shown-once.js";
import { Loaded } from "../../components/states.js";

/** The badge that a user signs in with at a shared device. */
export function BadgeOf({ user: { user_id, username: name } }: { user: User }) {
  const [code, setCode] = useState<string>();
  const path = { user_id };
  const found = useRead("/api/admin/users/{user_id}/badge", { path });
  const isOn = useRead("/api/auth/ways").data?.badge ?? true;
  const make = async ({ format, size, dpi }: Record<string, string>, api: Api) => {
    const body = { format: format as "pdf", size: size as "100x50", dpi: Number(dpi) as 203 };
    const made = await api.post("/api/admin/users/{user_id}/badge", { path, body });
    saveBase64(made.label, made.label_name);
    setCode(made.code);
  };
  const revoke = async (_: unknown, api: Api) => {
    await api.delete("/api/admin/users/{user_id}/badge", { path });
    setCode(undefined);
  };
  return (
    <Loaded of={found}>
      {({ badge }) => (
        <Section
          title={t("badge")}
          actions={
            <>
              <Decision
                isSmall
                label={t(badge ? "replaceBadge" : "makeBadge")}
                title={t(badge ? "replaceBadgeTitle" : "makeBadgeTitle", { name })}
                act={make}
              >
                <Text size="sm">{t(badge ? "replaceBadgeHint" : "makeBadgeHint")}</Text>
                <LabelFields />
              </Decision>
              {badge && (
                <Decision
                  isSmall
                  isDangerous
                  label={t("revokeBadge")}
                  title={t("revokeBadgeTitle", { name })}
                  act={revoke}
                >
                  <Text size="sm">{t("revokeBadgeHint")}</Text>
                </Decision>
              )}
            </>
          }
        >
          {code && (
            <Box mb="sm">
              <ShownOnce title={t("badgeOf", { name })} secret={code} close={() => setCode(undefined)} />
            </Box>
          )}
          {badge ? (
            <Facts
              of={[
                [t("created"), time(badge.made_at)],
                [t("createdBy"), person(badge.made_by)],
                [t("lastUsed"), time(badge.last_used_at)],
                [t("pin"), t(badge.has_pin ? "pinSet" : "pinNotSet")],
              ]}
            />
          ) : (
            <Text size="sm">{t("noBadge")}</Text>
          )}
          {!isOn && (
            <Text size="sm" c="dimmed" mt="sm">
              {t("badgesOff")}
            </Text>
          )}
        </Section>
      )}
    </Loaded>
  );
}
