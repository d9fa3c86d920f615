import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useRead } from "../shared/api.js";
import { outcomeOfSignIn, signInAddress } from "../shared/provider.js";
import {
  type Challenge,
  challengeIn,
  type ShowSecondFactor,
  signOut,
  useBadgeLogin,
  useLogin,
  useMe,
  useNewPassword,
  useOwnChallenge,
  useSecondFactor,
  useStepUp,
} from "../shared/session.js";
import { t } from "../texts/scan.js";
import { badgeOfNext, forgetNext } from "./components/other-badge.js";
import { Refused, Waiting } from "./components/parts.js";
import { ScanField } from "./components/scan-field.js";
import { ScanQueue, useTake } from "./components/scans.js";

interface FormProps {
  action: string;
  isPending: boolean;
  error: unknown;
  submit: (value: (name: string) => string) => void;
  /** What else can be done. */
  below?: ReactNode;
  children: ReactNode;
}

/** Fields, each with a name, and what is done with them. */
export const Form = ({ action, isPending, error, submit, below, children }: FormProps) => (
  <form
    className="fields"
    onSubmit={(event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const values = new FormData(event.currentTarget);
      submit((name) => String(values.get(name)));
    }}
  >
    {children}
    <Refused error={error} />
    <button type="submit" className="primary" disabled={isPending}>
      {action}
    </button>
    {below}
  </form>
);

const Card = ({ title, ...form }: FormProps & { title: string }) => (
  <main className="login">
    <h1>{title}</h1>
    <Form {...form} />
  </main>
);

export const Password = ({ name, label, kind }: { name: string; label: string; kind: "current" | "new" }) => (
  <label>
    {label}
    <input name={name} type="password" autoComplete={`${kind}-password`} required />
  </label>
);

/** Whoever signs in: with the own badge where the house has such, else with a password. */
export function Login() {
  const hasBadges = useRead("/api/auth/ways").data?.badge ?? false;
  const [isTyping, setTyping] = useState(false);
  return hasBadges && !isTyping ? (
    <ScanQueue>
      <BadgeLogin otherwise={() => setTyping(true)} />
    </ScanQueue>
  ) : (
    <PasswordLogin>
      {hasBadges && (
        <button type="button" onClick={() => setTyping(false)}>
          {t("withBadge")}
        </button>
      )}
    </PasswordLogin>
  );
}

function PasswordLogin({ children }: { children: ReactNode }) {
  const { mutate, isPending, error, reset } = useLogin();
  const challenge = challengeIn(error);
  if (challenge) return <SecondStep of={challenge} again={reset} />;
  return (
    <Card
      title={t("scanner")}
      action={t("signIn")}
      {...{ isPending, error }}
      submit={(value) => mutate({ username: value("username"), password: value("password") })}
      below={
        <>
          {children}
          <AtProvider />
        </>
      }
    >
      <label>
        {t("username")}
        <input name="username" autoComplete="username" autoCapitalize="off" required />
      </label>
      <Password name="password" label={t("password")} kind="current" />
    </Card>
  );
}

interface SecondStepProps {
  of: Challenge;
  /** How it is shown. */
  use?: ShowSecondFactor;
  again: () => void;
}

/** Whoever has signed in at the provider, and may do nothing before the second factor is shown. */
export function SecondFactor() {
  const { data, error } = useOwnChallenge();
  if (data) return <SecondStep of={data} use={useStepUp} again={() => void signOut()} />;
  return error ? <Refused error={error} /> : <Waiting />;
}

/** The second factor, once the password was right: the code of the app, or a recovery code. */
function SecondStep({ of: { challenge, ways }, use = useSecondFactor, again }: SecondStepProps) {
  const { mutate, isPending, error } = use();
  const name = ways.includes("totp") ? "code" : "recovery_code";
  const [way, setWay] = useState<"code" | "recovery_code">(name);
  return (
    <Card
      title={t("secondFactor")}
      action={t("signIn")}
      {...{ isPending, error }}
      submit={(value) =>
        mutate({ challenge, ...(way === "code" ? { code: value(way) } : { recovery_code: value(way) }) })
      }
      below={
        <>
          {ways.includes("totp") && ways.includes("recovery_code") && (
            <button type="button" onClick={() => setWay(way === "code" ? "recovery_code" : "code")}>
              {t(way === "code" ? "withRecoveryCode" : "withCode")}
            </button>
          )}
          <button type="button" onClick={again}>
            {t("beginAnew")}
          </button>
        </>
      }
    >
      <label key={way}>
        {t(way === "code" ? "codeOfApp" : "recoveryCode")}
        <input
          name={way}
          autoComplete={way === "code" ? "one-time-code" : "off"}
          inputMode={way === "code" ? "numeric" : "text"}
          autoCapitalize="off"
          required
        />
      </label>
    </Card>
  );
}

/** A second factor is set up at the desk, which has room for it. */
export const Enrolment = () => (
  <main className="login">
    <h1>{t("setUpSecondFactor")}</h1>
    <p>{t("setUpAtDesk")}</p>
    <a href="/console/">{t("toDesk")}</a>
    <button type="button" onClick={() => void signOut()}>
      {t("signOutNow")}
    </button>
  </main>
);

/** The way to the company's identity provider, where there is one, and what became of it. */
function AtProvider() {
  const provider = useRead("/api/auth/ways").data?.sso;
  const outcome = outcomeOfSignIn();
  if (!provider) return null;
  return (
    <>
      {outcome && <p role="alert">{t(outcome === "refused" ? "signInRefused" : "signInUnavailable")}</p>}
      <button type="button" onClick={() => location.assign(signInAddress())}>
        {t("signInAt", { name: provider.name })}
      </button>
    </>
  );
}

/** First the badge, then its PIN; another badge takes the place of the first. */
function BadgeLogin({ otherwise }: { otherwise: () => void }) {
  const { mutate, isPending, error, reset } = useBadgeLogin();
  const [badge, setBadge] = useState(badgeOfNext);
  // It is for this time alone.
  useEffect(forgetNext, []);
  const take = (code: string) => {
    reset();
    setBadge(code);
  };
  if (badge) return <Pin {...{ badge, take, mutate, isPending, error }} />;
  return (
    <main className="login">
      <h1>{t("scanner")}</h1>
      <ScanField label={t("scanBadge")} onScan={take} />
      <button type="button" onClick={otherwise}>
        {t("withPassword")}
      </button>
      <AtProvider />
    </main>
  );
}

interface PinProps extends Pick<ReturnType<typeof useBadgeLogin>, "mutate" | "isPending" | "error"> {
  badge: string;
  take: (code: string) => void;
}

function Pin({ badge, take, mutate, isPending, error }: PinProps) {
  const pin = useRef<HTMLInputElement>(null);
  useTake(take);
  useEffect(() => pin.current?.focus(), []);
  const clear = () => {
    if (!pin.current) return;
    pin.current.value = "";
    pin.current.focus();
  };
  return (
    <Card
      title={t("scanner")}
      action={t("signIn")}
      {...{ isPending, error }}
      submit={(value) => mutate({ badge, pin: value("pin") }, { onError: clear })}
      below={
        <button type="button" onClick={() => take("")}>
          {t("otherBadge")}
        </button>
      }
    >
      <label>
        {t("pin")}
        <input ref={pin} name="pin" type="password" inputMode="numeric" autoComplete="off" maxLength={8} required />
      </label>
    </Card>
  );
}

export function NewPassword() {
  const { mutate, isPending, error } = useNewPassword(useMe().username);
  return (
    <Card
      title={t("changePassword")}
      action={t("changePassword")}
      {...{ isPending, error }}
      submit={(value) => mutate({ current_password: value("current"), new_password: value("new") })}
    >
      <p>{t("mustChangePassword")}</p>
      <Password name="current" label={t("currentPassword")} kind="current" />
      <Password name="new" label={t("newPassword")} kind="new" />
    </Card>
  );
}
