import { useBadgePin } from "../shared/session.js";
import { t } from "../texts/scan.js";
import { Done, Screen } from "./components/parts.js";
import { Form, Password } from "./login.js";

/** Sets the PIN of the own badge. */
export default function BadgePin() {
  const { mutate, isPending, isSuccess, error } = useBadgePin();
  return (
    <Screen title={t("pinOfBadge")}>
      {isSuccess ? (
        <Done>{t("pinIsSet")}</Done>
      ) : (
        <Form
          action={t("setPin")}
          {...{ isPending, error }}
          submit={(value) => mutate({ current_password: value("current"), pin: value("pin") })}
        >
          <p>{t("pinHint")}</p>
          <Password name="current" label={t("password")} kind="current" />
          <label>
            {t("pin")}
            <input
              name="pin"
              type="password"
              inputMode="numeric"
              pattern="[0-9]{4,8}"
              maxLength={8}
              autoComplete="off"
              required
            />
          </label>
        </Form>
      )}
    </Screen>
  );
}
