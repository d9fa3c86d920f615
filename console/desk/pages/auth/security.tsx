import { Text } from "@mantine/core";
import { useState } from "react";
import { type Api, queries, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/security.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { OwnPassword } from "../../components/own-password.js";
import { Page } from "../../components/page.js";
import { RecoveryCodes } from "../../components/recovery-codes.js";
import { Loaded } from "../../components/states.js";
import { TotpSetup } from "../../components/totp-setup.js";
import { OwnKeys } from "./own-keys.js";
import { OwnSessions } from "./own-sessions.js";
import { OwnPasskeys } from "./passkeys.js";
import { SetUp } from "./set-up.js";

/** What protects the own account. */
export default function Security() {
  const [codes, setCodes] = useState<string[]>();
  const makeCodes = async ({ current_password }: Record<string, string>, api: Api) => {
    const made = await api.post("/api/auth/recovery-codes", { body: { current_password } });
    setCodes(made.recovery_codes);
  };
  const removeApp = ({ current_password }: Record<string, string>, api: Api) =>
    api.delete("/api/auth/totp", { body: { current_password } });
  return (
    <Page title={t("security")}>
      <Loaded of={useRead("/api/auth/factors")}>
        {({ is_required, totp, passkeys, recovery_codes_left }) => (
          <>
            {is_required && <Text size="sm">{t("isRequired")}</Text>}
            <Section
              title={t("app")}
              actions={
                totp && (
                  <Decision isSmall isDangerous label={t("removeApp")} title={t("removeAppTitle")} act={removeApp}>
                    <OwnPassword />
                  </Decision>
                )
              }
            >
              {totp ? (
                <Facts
                  of={[
                    [t("appSince"), time(totp.confirmed_at)],
                    [t("lastUsed"), time(totp.last_used_at)],
                  ]}
                />
              ) : (
                <SetUp hint={t("noApp")} label={t("addApp")}>
                  {(close) => (
                    <TotpSetup
                      done={() => {
                        close();
                        void queries.invalidateQueries();
                      }}
                    />
                  )}
                </SetUp>
              )}
            </Section>
            <OwnPasskeys passkeys={passkeys} />
            {(totp || passkeys.length > 0) && (
              <Section
                title={t("recoveryCodes")}
                actions={
                  <Decision isSmall label={t("newCodes")} title={t("newCodes")} act={makeCodes}>
                    <Text size="sm">{t("newCodesHint")}</Text>
                    <OwnPassword />
                  </Decision>
                }
              >
                {codes && <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />}
                <Facts of={[[t("codesLeft"), recovery_codes_left]]} />
              </Section>
            )}
          </>
        )}
      </Loaded>
      <OwnKeys />
      <OwnSessions />
    </Page>
  );
}
