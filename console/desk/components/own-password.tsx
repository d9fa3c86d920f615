import { PasswordInput } from "@mantine/core";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/security.js";

/**
 * The own password, which changes of what protects the account take. Who signs in at the provider has none: the service
 * asks for a proof of another kind, if it needs one.
 */
export function OwnPassword() {
  const { data, isPending } = useRead("/api/auth/factors");
  if (isPending || data?.takes_password === false) return null;
  return <PasswordInput name="current_password" label={t("password")} autoComplete="current-password" required />;
}
