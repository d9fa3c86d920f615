import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { Passkey } from "../../../../client/src/index.js";
import { api, queries } from "../../../shared/api.js";
import { t } from "../../../texts/security.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { OwnPassword } from "../../components/own-password.js";
import { RecoveryCodes } from "../../components/recovery-codes.js";
import { Refused } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { valuesOf } from "../../values.js";
import { SetUp } from "./set-up.js";

/** The passkeys of the own account: devices that sign in by a touch or a look. */
export const OwnPasskeys = ({ passkeys }: { passkeys: Passkey[] }) => (
  <Section title={t("passkeys")}>
    <Stack>
      <DataTable
        title={t("passkeys")}
        rows={passkeys}
        empty={t("noPasskeys")}
        columns={[
          { field: "passkey_name", title: t("passkeyName") },
          { field: "made_at", title: t("created"), as: "time" },
          { field: "last_used_at", title: t("lastUsed"), as: "time" },
          { field: "actions", title: t("actions"), right: true, show: (passkey) => <Remove of={passkey} /> },
        ]}
      />
      <SetUp hint={t("passkeyHint")} label={t("addPasskey")}>
        {(close) => (
          <NewPasskey
            done={() => {
              close();
              void queries.invalidateQueries();
            }}
          />
        )}
      </SetUp>
    </Stack>
  </Section>
);

function NewPasskey({ done }: { done: () => void }) {
  const add = useMutation({
    mutationFn: async ({ current_password, passkey_name = "" }: Record<string, string>) => {
      const { options } = await api.post("/api/auth/passkeys/options", { body: { current_password } });
      const { startRegistration } = await import("@simplewebauthn/browser");
      const passkey = await startRegistration({ optionsJSON: options as never });
      return api.post("/api/auth/passkeys", { body: { passkey_name, passkey: passkey as never } });
    },
    onSuccess: ({ recovery_codes }) => recovery_codes ?? done(),
  });
  const codes = add.data?.recovery_codes;
  if (codes) return <RecoveryCodes {...{ codes, done }} />;
  return (
    <form onSubmit={(event: FormEvent<HTMLFormElement>) => add.mutate(valuesOf(event))}>
      <Stack>
        <TextInput name="passkey_name" label={t("passkeyName")} maxLength={64} required autoFocus />
        <OwnPassword />
        <Refused error={add.error} />
        <Button type="submit" loading={add.isPending}>
          {t("next")}
        </Button>
      </Stack>
    </form>
  );
}

const Remove = ({ of: { passkey_id, passkey_name: name } }: { of: Passkey }) => (
  <Decision
    isSmall
    isDangerous
    label={t("removePasskey")}
    title={t("removePasskeyTitle", { name })}
    act={({ current_password }, service) =>
      service.delete("/api/auth/passkeys/{passkey_id}", { path: { passkey_id }, body: { current_password } })
    }
  >
    <Text size="sm">{t("removePasskeyHint")}</Text>
    <OwnPassword />
  </Decision>
);
