import { Checkbox, NativeSelect, SimpleGrid, Text } from "@mantine/core";
import type { NewUser } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/auth.js";
import { rightText } from "../../../texts/rights.js";
import { useWarehouse } from "../../components/warehouse.js";

/** What a user may do. */
export type Rights = Required<Pick<NewUser, "role" | "warehouse_ids" | "allowed_functions" | "page_keys">>;

interface RightsFieldsProps {
  value: Rights;
  set: (rights: Rights) => void;
}

/** Role, warehouses, functions and pages; nobody grants what they have not got themselves. */
export function RightsFields({ value, set }: RightsFieldsProps) {
  const me = useMe();
  const { warehouses } = useWarehouse();
  const isAdmin = me.role === "ADMIN";
  const mayGrant = (key: string) => isAdmin || (me.allowed_pages ?? []).includes(key);
  const setPages = (keys: string[]) => set({ ...value, page_keys: keys as Rights["page_keys"] });
  return (
    <>
      {isAdmin && (
        <NativeSelect
          label={t("role")}
          description={t("roleHint")}
          value={value.role}
          onChange={({ currentTarget }) => set({ ...value, role: currentTarget.value as Rights["role"] })}
          data={["USER", "ADMIN"].map((role) => ({ value: role, label: rightText(role) }))}
          maw={400}
        />
      )}
      {value.role === "ADMIN" ? (
        <Text c="dimmed">{t("adminHasAll")}</Text>
      ) : (
        <>
          <Choices
            label={t("warehouses")}
            choices={warehouses.map(({ id, code, name }) => [String(id), `${code} · ${name}`])}
            value={value.warehouse_ids.map(String)}
            set={(ids) => set({ ...value, warehouse_ids: ids.map(Number) })}
          />
          <Choices
            label={t("functions")}
            hint={t("functionsHint")}
            choices={functions.map((key) => [key, rightText(key)])}
            value={value.allowed_functions}
            set={(keys) => set({ ...value, allowed_functions: keys as Rights["allowed_functions"] })}
          />
          {pageGroups().map(([label, keys]) => (
            <Choices
              key={label}
              label={t("pagesOf", { group: label })}
              choices={keys.map((key) => [key, rightText(key)])}
              isDisabled={(key) => !mayGrant(key)}
              value={value.page_keys}
              set={setPages}
            />
          ))}
          <Choices
            label={t("overrides")}
            hint={t("overridesHint")}
            choices={overrides.map((key) => [key, rightText(key)])}
            isDisabled={(key) => !mayGrant(key)}
            value={value.page_keys}
            set={setPages}
          />
        </>
      )}
    </>
  );
}

interface ChoicesProps {
  label: string;
  hint?: string;
  choices: [key: string, label: string][];
  isDisabled?: (key: string) => boolean;
  value: string[];
  set: (keys: string[]) => void;
}

const Choices = ({ label, hint, choices, isDisabled, value, set }: ChoicesProps) => (
  <Checkbox.Group label={label} description={hint} value={value} onChange={set}>
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="xs" mt="xs">
      {choices.map(([key, text]) => (
        <Checkbox key={key} value={key} label={text} disabled={isDisabled?.(key) ?? false} />
      ))}
    </SimpleGrid>
  </Checkbox.Group>
);

type Key = NonNullable<NewUser["page_keys"]>[number];

/** Page keys by what they are about. */
const pageGroups = (): [group: string, keys: Key[]][] => [
  [t("groupDay"), ["dashboard"]],
  [t("groupStock"), ["inventory", "items", "adjustments", "cycle-counts", "count-approvals"]],
  [t("groupGoodsIn"), ["purchase-orders", "receiving", "putaway", "vendors", "imports"]],
  [t("groupSales"), ["sales-orders", "backorders", "fraud", "picking-tickets", "picking-batches", "pos-activity"]],
  [t("groupTransfers"), ["transfer-orders", "inter-warehouse-transfers"]],
  [t("groupPlaces"), ["warehouses", "zones", "bins", "preferred-bins"]],
  [
    t("groupPartners"),
    ["webhooks", "api-tokens", "inbound", "integrations", "channels", "consumer-groups", "notifications"],
  ],
  [t("groupService"), ["users", "settings", "audit-log"]],
];

/** What is granted like a page and extends what one allows. */
const overrides: Key[] = ["so-full-edit"];

const functions: NonNullable<NewUser["allowed_functions"]>[number][] = [
  ...(["receive", "putaway", "pick", "pack", "ship", "count", "transfer", "sell"] as const),
];
