import { Button, Checkbox, NativeSelect, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import type { NewUser } from "../../../../client/src/index.js";
import { Icon } from "../../../shared/icons.js";
import { useMe } from "../../../shared/session.js";
import { t as auth } from "../../../texts/auth.js";
import { t } from "../../../texts/presets.js";
import { rightText } from "../../../texts/rights.js";
import { useWarehouse } from "../../components/warehouse.js";
import { presetOf, presets, type Rights } from "./presets.js";

interface RightsFieldsProps {
  value: Rights;
  set: (rights: Rights) => void;
}

/** What the person does, and where; nobody grants what they have not got themselves. */
export function RightsFields({ value, set }: RightsFieldsProps) {
  const { role, allowed_pages } = useMe();
  const { warehouses } = useWarehouse();
  const isAdmin = role === "ADMIN";
  const mayGrant = (key: string) => isAdmin || (allowed_pages ?? []).includes(key);
  const chosen = presetOf(value);
  const hasNone = value.allowed_functions.length + value.page_keys.length === 0;
  const [isOpen, setOpen] = useState(chosen === undefined && !hasNone);
  const offered = Object.entries(presets).filter(
    ([name, { rights }]) => name === chosen || isAdmin || (rights.role === "USER" && rights.page_keys.every(mayGrant)),
  );
  const choose = (name: string) => {
    const rights = presets[name]?.rights;
    set({ ...value, ...(rights ?? { role: "USER" }) });
    if (!rights) setOpen(true);
  };
  return (
    <>
      <NativeSelect
        label={t("whatOneDoes")}
        description={t("whatOneDoesHint")}
        value={chosen ?? ""}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: "", label: t(chosen === undefined && hasNone ? "chooseOne" : "custom") },
          ...offered.map(([name, { title }]) => ({ value: name, label: title() })),
        ]}
        maw={400}
      />
      {value.role === "USER" && (
        <>
          <Choices
            label={auth("warehouses")}
            choices={warehouses.map(({ id, code, name }) => [String(id), `${code} · ${name}`])}
            value={value.warehouse_ids.map(String)}
            set={(ids) => set({ ...value, warehouse_ids: ids.map(Number) })}
          />
          <Button
            variant="subtle"
            w="fit-content"
            px="xs"
            leftSection={<Icon of={isOpen ? "unfolded" : "folded"} size={16} />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t("inDetail")}
          </Button>
          {isOpen && <Details {...{ value, set, mayGrant }} />}
        </>
      )}
    </>
  );
}

interface DetailsProps extends RightsFieldsProps {
  mayGrant: (key: string) => boolean;
}

/** Functions and pages one by one. */
function Details({ value, set, mayGrant }: DetailsProps) {
  const setPages = (keys: string[]) => set({ ...value, page_keys: keys as Rights["page_keys"] });
  return (
    <>
      <Choices
        label={auth("functions")}
        hint={auth("functionsHint")}
        choices={functions.map((key) => [key, rightText(key)])}
        value={value.allowed_functions}
        set={(keys) => set({ ...value, allowed_functions: keys as Rights["allowed_functions"] })}
      />
      {pageGroups().map(([label, keys]) => (
        <Choices
          key={label}
          label={auth("pagesOf", { group: label })}
          choices={keys.map((key) => [key, rightText(key)])}
          isDisabled={(key) => !mayGrant(key)}
          value={value.page_keys}
          set={setPages}
        />
      ))}
      <Choices
        label={auth("overrides")}
        hint={auth("overridesHint")}
        choices={overrides.map((key) => [key, rightText(key)])}
        isDisabled={(key) => !mayGrant(key)}
        value={value.page_keys}
        set={setPages}
      />
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
/** All that is granted like a page. */
export const allPages = (): Key[] => [...pageGroups().flatMap(([, keys]) => keys), ...overrides];

const pageGroups = (): [group: string, keys: Key[]][] => [
  [auth("groupDay"), ["dashboard"]],
  [auth("groupStock"), ["inventory", "items", "adjustments", "cycle-counts", "count-approvals"]],
  [auth("groupGoodsIn"), ["purchase-orders", "receiving", "putaway", "vendors", "imports"]],
  [auth("groupSales"), ["sales-orders", "backorders", "fraud", "picking-tickets", "picking-batches", "pos-activity"]],
  [auth("groupTransfers"), ["transfer-orders", "inter-warehouse-transfers"]],
  [auth("groupPlaces"), ["warehouses", "zones", "bins", "preferred-bins"]],
  [
    auth("groupPartners"),
    ["webhooks", "api-tokens", "inbound", "integrations", "channels", "consumer-groups", "notifications"],
  ],
  [auth("groupService"), ["users", "settings", "audit-log"]],
];

/** What is granted like a page and extends what one allows. */
const overrides: Key[] = ["so-full-edit"];

const functions: NonNullable<NewUser["allowed_functions"]>[number][] = [
  ...(["receive", "putaway", "pick", "pack", "ship", "count", "transfer", "sell"] as const),
];
