import type { FormEvent, ReactNode } from "react";
import { useLogin, useMe, useNewPassword } from "../shared/session.js";
import { t } from "../texts/scan.js";
import { Refused } from "./components/parts.js";

interface CardProps {
  title: string;
  action: string;
  isPending: boolean;
  error: unknown;
  submit: (value: (name: string) => string) => void;
  children: ReactNode;
}

const Card = ({ title, action, isPending, error, submit, children }: CardProps) => (
  <main className="login">
    <form
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        submit((name) => String(values.get(name)));
      }}
    >
      <h1>{title}</h1>
      {children}
      <Refused error={error} />
      <button type="submit" className="primary" disabled={isPending}>
        {action}
      </button>
    </form>
  </main>
);

const Password = ({ name, label, kind }: { name: string; label: string; kind: "current" | "new" }) => (
  <label>
    {label}
    <input name={name} type="password" autoComplete={`${kind}-password`} required />
  </label>
);

export function Login() {
  const { mutate, isPending, error } = useLogin();
  return (
    <Card
      title={t("scanner")}
      action={t("signIn")}
      {...{ isPending, error }}
      submit={(value) => mutate({ username: value("username"), password: value("password") })}
    >
      <label>
        {t("username")}
        <input name="username" autoComplete="username" autoCapitalize="off" required />
      </label>
      <Password name="password" label={t("password")} kind="current" />
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
