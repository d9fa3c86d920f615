import { PasswordInput } from "@mantine/core";
import { t } from "../../../texts/security.js";

/** The own password, which changes of what protects the account take. */
export const OwnPassword = () => (
  <PasswordInput name="current_password" label={t("password")} autoComplete="current-password" required />
);
