import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, useRead } from "../shared/api.js";
import { signInAddress } from "../shared/provider.js";
import type { Shown } from "../shared/session.js";
import { asksForProof, type StepUpAsked } from "../shared/step-up.js";
import { t } from "../texts/desk.js";
import { Dialog } from "./components/dialog.js";
import { FactorFields, proofOf } from "./components/factor-fields.js";
import { PasskeyButton } from "./components/passkey-button.js";
import { Refused } from "./components/states.js";
import { valuesOf } from "./values.js";

interface Asking extends StepUpAsked {
  answer: (isProven: boolean) => void;
}

/** Asks for the proof that a dangerous request waits for; the request then goes on by itself. */
export function StepUp() {
  const [asking, setAsking] = useState<Asking>();
  useEffect(
    () =>
      asksForProof(
        (asked) =>
          new Promise((resolve) => {
            const answer = (isProven: boolean) => {
              setAsking(undefined);
              resolve(isProven);
            };
            // Of two requests at once the second waits for nobody: it is refused, and done again.
            setAsking((before) => {
              before?.answer(false);
              return { ...asked, answer };
            });
          }),
      ),
    [],
  );
  if (!asking) return null;
  return (
    <Dialog title={t("stepUp")} isOpen close={() => asking.answer(false)}>
      <Proof of={asking} />
    </Dialog>
  );
}

type Given = { current_password: string } | ({ challenge: string } & Shown);

function Proof({ of: { ways, challenge = "", passkey, answer } }: { of: Asking }) {
  const prove = useMutation({
    mutationFn: (body: Given) => api.post("/api/auth/step-up", { body, giveUpAfterMs: 0 }),
    onSuccess: () => answer(true),
  });
  const isTyped = ways.some((way) => ["password", "totp", "recovery_code"].includes(way));
  const hasPassword = ways.includes("password");
  const given = (values: Record<string, string>): Given =>
    hasPassword ? { current_password: values.current_password ?? "" } : { challenge, ...proofOf(values) };
  return (
    <form onSubmit={(event) => prove.mutate(given(valuesOf(event)))}>
      <Stack>
        <Text size="sm">{t("stepUpHint")}</Text>
        {passkey && (
          <PasskeyButton options={passkey} show={(signed) => prove.mutate({ challenge, passkey: signed as never })} />
        )}
        {ways.includes("provider") && <AtProvider />}
        {hasPassword && (
          <PasswordInput
            name="current_password"
            label={t("password")}
            autoComplete="current-password"
            required
            data-autofocus
          />
        )}
        {isTyped && !hasPassword && <FactorFields ways={ways} />}
        <Refused error={prove.error} />
        <Group justify="end">
          <Button variant="default" onClick={() => answer(false)}>
            {t("back")}
          </Button>
          {isTyped && (
            <Button type="submit" loading={prove.isPending}>
              {t("stepUpConfirm")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The provider is another page: what was typed here is typed again afterwards. */
function AtProvider() {
  const name = useRead("/api/auth/ways").data?.sso?.name ?? "";
  return (
    <>
      <Text size="sm">{t("stepUpAtProvider")}</Text>
      <Button component="a" href={signInAddress({ step_up: "true" })}>
        {t("signInAt", { name })}
      </Button>
    </>
  );
}
