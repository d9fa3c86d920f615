import type { NewUser } from "../../../../client/src/index.js";
import { t } from "../../../texts/presets.js";

/** What a user may do. */
export type Rights = Required<Pick<NewUser, "role" | "warehouse_ids" | "allowed_functions" | "page_keys">>;

/** What somebody may do by what the person does here; the warehouses are chosen beside it. */
export type Granted = Omit<Rights, "warehouse_ids">;

const user = (allowed_functions: Rights["allowed_functions"], page_keys: Rights["page_keys"]): Granted => ({
  ...{ role: "USER", allowed_functions, page_keys },
});

/** The rights of each kind of people. They are no records of the service: who is given some gets these rights. */
export const presets: Record<string, { title: () => string; rights: Granted }> = {
  picker: { title: () => t("picker"), rights: user(["pick", "count", "transfer"], []) },
  packer: { title: () => t("packer"), rights: user(["pack", "ship"], []) },
  receiver: {
    title: () => t("receiver"),
    rights: user(["receive", "putaway", "count", "transfer"], ["purchase-orders", "receiving", "putaway"]),
  },
  lead: {
    title: () => t("lead"),
    rights: user(
      ["receive", "putaway", "pick", "pack", "ship", "count", "transfer"],
      [
        ...(["dashboard", "inventory", "items", "adjustments", "cycle-counts", "count-approvals"] as const),
        ...(["purchase-orders", "receiving", "putaway", "sales-orders", "backorders", "picking-tickets"] as const),
        ...(["picking-batches", "transfer-orders", "inter-warehouse-transfers", "bins", "preferred-bins"] as const),
        // Whether an order waits for what was not found, or goes without it, is the lead's to decide.
        "so-full-edit",
      ],
    ),
  },
  customerService: {
    title: () => t("customerService"),
    rights: user([], ["sales-orders", "backorders", "fraud", "picking-tickets", "items", "inventory"]),
  },
  integrator: {
    title: () => t("integrator"),
    rights: user(
      [],
      [
        ...(["webhooks", "api-tokens", "inbound", "integrations", "channels", "consumer-groups"] as const),
        ...(["notifications", "imports"] as const),
      ],
    ),
  },
  admin: { title: () => t("admin"), rights: { role: "ADMIN", allowed_functions: [], page_keys: [] } },
};

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((one) => others.includes(one));

/** Which of them these rights are; undefined where they differ from each. */
export const presetOf = ({ role, allowed_functions, page_keys }: Granted): string | undefined =>
  Object.keys(presets).find((name) => {
    const rights = presets[name]?.rights;
    if (role === "ADMIN" || rights?.role === "ADMIN") return role === rights?.role;
    return isSame(rights?.allowed_functions ?? [], allowed_functions) && isSame(rights?.page_keys ?? [], page_keys);
  });
