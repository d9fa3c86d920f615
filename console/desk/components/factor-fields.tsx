import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Shown } from "../../shared/session.js";
import { t } from "../../texts/security.js";

type Way = "code" | "recovery_code";

/** What one types as the second factor: the code of the app, or a recovery code. */
export function FactorFields({ ways }: { ways: string[] }) {
  const hasApp = ways.includes("totp");
  const [way, setWay] = useState<Way>(hasApp ? "code" : "recovery_code");
  return (
    <>
      {way === "code" ? (
        <TextInput
          key="code"
          name="code"
          label={t("codeOfApp")}
          description={t("codeHint")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          autoFocus
        />
      ) : (
        <TextInput
          key="recovery_code"
          name="recovery_code"
          label={t("recoveryCode")}
          description={t("recoveryCodeHint")}
          autoComplete="off"
          required
          autoFocus
        />
      )}
      {hasApp && ways.includes("recovery_code") && (
        <Button variant="subtle" onClick={() => setWay(way === "code" ? "recovery_code" : "code")}>
          {t(way === "code" ? "withRecoveryCode" : "withCode")}
        </Button>
      )}
    </>
  );
}

/** The second factor among the values of a form. */
export const proofOf = ({ code, recovery_code = "" }: Record<string, string>): Shown =>
  code === undefined ? { recovery_code } : { code };
