import { Button, Image, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../shared/api.js";
import { t } from "../../texts/security.js";
import { valuesOf } from "../values.js";
import { OwnPassword } from "./own-password.js";
import { RecoveryCodes } from "./recovery-codes.js";
import { Refused } from "./states.js";

/**
 * Sets up an authenticator app: the password, the secret, a code that confirms it, and the recovery codes that come
 * with the first factor. What is shown stands in the state of the page, so it is gone with it.
 */
export function TotpSetup({ done }: { done: () => void }) {
  const begin = useMutation({
    mutationFn: ({ current_password }: Record<string, string>) =>
      api.post("/api/auth/totp", { body: { current_password } }),
  });
  const confirm = useMutation({
    mutationFn: (code: string) => api.post("/api/auth/totp/confirm", { body: { code } }),
    onSuccess: ({ recovery_codes }) => recovery_codes ?? done(),
  });
  const [code, setCode] = useState("");
  const codes = confirm.data?.recovery_codes;
  if (codes) return <RecoveryCodes {...{ codes, done }} />;
  if (!begin.data)
    return (
      <form onSubmit={(event: FormEvent<HTMLFormElement>) => begin.mutate(valuesOf(event))}>
        <Stack>
          <Text size="sm">{t("appHint")}</Text>
          <OwnPassword />
          <Refused error={begin.error} />
          <Button type="submit" loading={begin.isPending}>
            {t("next")}
          </Button>
        </Stack>
      </form>
    );
  const { qr, secret } = begin.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t("scanQr")}</Text>
        <Image src={`data:image/svg+xml;base64,${qr}`} alt={t("qr")} w={200} h={200} fit="contain" mx="auto" />
        <TextInput
          label={t("secretOfApp")}
          value={secret}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <TextInput
          label={t("codeOfApp")}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
        />
        <Refused error={confirm.error} />
        <Button type="submit" loading={confirm.isPending}>
          {t("confirmApp")}
        </Button>
      </Stack>
    </form>
  );
}
