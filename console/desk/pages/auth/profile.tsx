import {
  Button,
  type MantineColorScheme,
  NativeSelect,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { type FormEvent, useRef } from "react";
import { useRead } from "../../../shared/api.js";
import { type Language, languages, setLanguage, useLanguage } from "../../../shared/language.js";
import { useBadgePin, useMe, useNewPassword } from "../../../shared/session.js";
import { t } from "../../../texts/auth.js";
import { rightText } from "../../../texts/rights.js";
import { t as security } from "../../../texts/security.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Refused } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import { optionsOf, valuesOf } from "../../values.js";

/** The own account. */
export default function Profile() {
  const { username, full_name, role, allowed_functions, allowed_pages } = useMe();
  const { warehouses } = useWarehouse();
  const named = (keys: string[]) => keys.map(rightText).join(", ") || t("none");
  return (
    <Page title={t("profile")} actions={<MaybeLink to="/security">{security("security")}</MaybeLink>}>
      <Section title={t("account")}>
        <Facts
          of={[
            [t("username"), username],
            [t("name"), full_name],
            [t("role"), rightText(role)],
            [t("warehouses"), warehouses.map(({ code }) => code).join(", ")],
            [t("functions"), named(allowed_functions)],
            [t("pages"), allowed_pages ? named(allowed_pages) : t("all")],
          ]}
        />
      </Section>
      <Section title={t("appearance")}>
        <Appearance />
      </Section>
      <Section title={t("changePassword")}>
        <Password username={username} />
      </Section>
      <OwnBadge />
    </Page>
  );
}

/** The PIN of the own badge, for who has one. */
function OwnBadge() {
  const badge = useRead("/api/auth/badge").data?.badge;
  const change = useBadgePin();
  const form = useRef<HTMLFormElement>(null);
  if (!badge) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { current_password = "", pin = "" } = valuesOf(event);
    change.mutate({ current_password, pin }, { onSuccess: () => form.current?.reset() });
  };
  return (
    <Section title={t("pinOfBadge")}>
      <form onSubmit={submit} ref={form}>
        <Stack maw={400}>
          <PasswordInput name="current_password" label={t("password")} autoComplete="current-password" required />
          <PasswordInput
            name="pin"
            label={t("pin")}
            description={t("pinHint")}
            inputMode="numeric"
            pattern="[0-9]{4,8}"
            maxLength={8}
            autoComplete="off"
            required
          />
          <Refused error={change.error} />
          {change.isSuccess && <Text role="status">{t("pinIsSet")}</Text>}
          <Button type="submit" loading={change.isPending} w="fit-content">
            {t("setPin")}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

function Appearance() {
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes: Record<MantineColorScheme, string> = { auto: t("auto"), light: t("light"), dark: t("dark") };
  return (
    <Stack maw={400}>
      <NativeSelect
        label={t("language")}
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
        data={optionsOf(languages)}
      />
      <div>
        <Text size="sm" fw={500}>
          {t("theme")}
        </Text>
        <SegmentedControl
          aria-label={t("theme")}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
          data={optionsOf(schemes)}
        />
      </div>
    </Stack>
  );
}

function Password({ username }: { username: string }) {
  const change = useNewPassword(username);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { current_password = "", new_password = "" } = valuesOf(event);
    change.mutate({ current_password, new_password }, { onSuccess: () => form.current?.reset() });
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack maw={400}>
        <PasswordInput name="current_password" label={t("currentPassword")} autoComplete="current-password" required />
        <PasswordInput
          name="new_password"
          label={t("newPassword")}
          description={t("passwordHint")}
          autoComplete="new-password"
          required
        />
        <Refused error={change.error} />
        {change.isSuccess && <Text role="status">{t("passwordChanged")}</Text>}
        <Button type="submit" loading={change.isPending} w="fit-content">
          {t("changePassword")}
        </Button>
      </Stack>
    </form>
  );
}
