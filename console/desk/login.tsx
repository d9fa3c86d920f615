import { Alert, Button, Center, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { queries, useRead } from "../shared/api.js";
import { outcomeOfSignIn, signInAddress } from "../shared/provider.js";
import {
  type Challenge,
  challengeIn,
  type ShowSecondFactor,
  signOut,
  useLogin,
  useMe,
  useNewPassword,
  useOwnChallenge,
  useSecondFactor,
  useStepUp,
} from "../shared/session.js";
import { t } from "../texts/desk.js";
import { FactorFields, proofOf } from "./components/factor-fields.js";
import { PasskeyButton } from "./components/passkey-button.js";
import { Loaded, Refused } from "./components/states.js";
import { TotpSetup } from "./components/totp-setup.js";
import { StepUp } from "./step-up.js";
import { valuesOf } from "./values.js";

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <Center component="main" mih="100dvh" p="md" bg="var(--mantine-color-default-hover)">
    <Paper w={380} p="xl" shadow="sm" withBorder>
      <Title order={1} size="h3" mb="lg">
        {title}
      </Title>
      {children}
    </Paper>
  </Center>
);

export function Login() {
  const login = useLogin();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { username = "", password = "" } = valuesOf(event);
    login.mutate({ username, password });
  };
  const challenge = challengeIn(login.error);
  if (challenge) return <SecondStep of={challenge} again={login.reset} />;
  return (
    <Card title={t("welcome")}>
      <AtProvider />
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="username" label={t("username")} autoComplete="username" required autoFocus />
          <PasswordInput name="password" label={t("password")} autoComplete="current-password" required />
          <Refused error={login.error} />
          <Button type="submit" loading={login.isPending}>
            {t("signIn")}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

interface SecondStepProps {
  of: Challenge;
  /** How it is shown. */
  use?: ShowSecondFactor;
  again: () => void;
}

/** The second factor, once the password was right. */
function SecondStep({ of: { challenge, ways, passkey }, use = useSecondFactor, again }: SecondStepProps) {
  const second = use();
  return (
    <Card title={t("secondFactor")}>
      <form onSubmit={(event) => second.mutate({ challenge, ...proofOf(valuesOf(event)) })}>
        <Stack>
          {passkey && (
            <PasskeyButton
              options={passkey}
              show={(signed) => second.mutate({ challenge, passkey: signed as never })}
            />
          )}
          {ways.some((way) => way !== "passkey") && (
            <>
              <FactorFields ways={ways} />
              <Refused error={second.error} />
              <Button type="submit" loading={second.isPending} {...(passkey && { variant: "default" })}>
                {t("signIn")}
              </Button>
            </>
          )}
          <Button variant="subtle" onClick={again}>
            {t("beginAnew")}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

/** Whoever has signed in at the provider, and may do nothing before the second factor is shown. */
export function SecondFactor() {
  return (
    <Loaded of={useOwnChallenge()}>
      {(challenge) => <SecondStep of={challenge} use={useStepUp} again={() => void signOut()} />}
    </Loaded>
  );
}

/** Whoever may do nothing before there is a second factor. */
export function Enrolment() {
  return (
    <Card title={t("setUpSecondFactor")}>
      <Stack>
        <Text>{t("roleNeedsSecondFactor")}</Text>
        <TotpSetup done={() => void queries.invalidateQueries()} />
        <StepUp />
        <Button variant="subtle" onClick={() => void signOut()}>
          {t("signOut")}
        </Button>
      </Stack>
    </Card>
  );
}

/** The way to the company's identity provider, where there is one, and what became of it. */
function AtProvider() {
  const provider = useRead("/api/auth/ways").data?.sso;
  const outcome = outcomeOfSignIn();
  if (!provider) return null;
  return (
    <Stack mb="lg">
      {outcome && (
        <Alert color="red" variant="light" role="alert" styles={{ body: { minWidth: 0 } }}>
          {t(outcome === "refused" ? "signInRefused" : "signInUnavailable")}
        </Alert>
      )}
      <Button component="a" href={signInAddress()}>
        {t("signInAt", { name: provider.name })}
      </Button>
      <Divider />
    </Stack>
  );
}

export function NewPassword() {
  const change = useNewPassword(useMe().username);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { current_password = "", new_password = "" } = valuesOf(event);
    change.mutate({ current_password, new_password });
  };
  return (
    <Card title={t("changePassword")}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{t("mustChangePassword")}</Text>
          <PasswordInput
            name="current_password"
            label={t("currentPassword")}
            autoComplete="current-password"
            required
            autoFocus
          />
          <PasswordInput name="new_password" label={t("newPassword")} autoComplete="new-password" required />
          <Refused error={change.error} />
          <Button type="submit" loading={change.isPending}>
            {t("changePassword")}
          </Button>
          <Button variant="subtle" onClick={() => void signOut()}>
            {t("signOut")}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
