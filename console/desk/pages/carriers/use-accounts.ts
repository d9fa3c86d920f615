import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/carriers.js";

/** Accounts with carriers by id, of one warehouse or all. */
export function useAccountNames(warehouse_id?: number): Record<string, string> {
  const query = { per_page: 1000, ...(warehouse_id && { warehouse_id }) };
  const accounts = useRead("/api/admin/carriers", { query }).data?.carrier_accounts ?? [];
  return Object.fromEntries(accounts.map(({ account_id, account_name }) => [account_id, account_name]));
}

/** What a carrier is called: by its own name, but for those who are none. */
export const carrierTitle = ({ carrier, title = carrier }: { carrier: string; title?: string }) =>
  carrier === "manual" ? t("carriedByNone") : title;
