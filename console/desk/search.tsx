import { Combobox, Kbd, Loader, ScrollArea, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { SearchResult } from "../../client/src/index.js";
import { useRead } from "../shared/api.js";
import { t } from "../texts/desk.js";
import { useWarehouse } from "./components/warehouse.js";
import { useLinks } from "./links.js";

const LEAST = 2;

/** The page of a record that was found; of a customer, the orders. */
const pageOf: Record<SearchResult["type"], (id: string, label: string) => string> = {
  so: (id) => `/orders/${id}`,
  customer: (name) => `/orders?q=${encodeURIComponent(name)}`,
  po: (id) => `/purchase-orders/${id}`,
  item: (id) => `/items/${id}`,
  bin: (id) => `/bins/${id}`,
  lot: (id) => `/lots/${id}`,
  serial: (_, serial) => `/serials/${encodeURIComponent(serial)}`,
};
const kinds = Object.keys(pageOf) as SearchResult["type"][];
const nameOf = (kind: SearchResult["type"]) =>
  ({
    ...{ so: t("kindSo"), customer: t("kindCustomer"), po: t("kindPo"), item: t("items"), bin: t("bins") },
    ...{ lot: t("lots"), serial: t("serials") },
  })[kind];

/** Finds records of all kinds; `/` and Ctrl+K lead to it from everywhere. */
export function Search() {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() });
  const focus = () => input.current?.focus();
  useHotkeys([["/", focus]]);
  useHotkeys([["mod+K", focus]], []);
  const open = (to: string) => {
    setTyped("");
    list.closeDropdown();
    input.current?.blur();
    void navigate(to);
  };
  return (
    <Combobox store={list} onOptionSubmit={open} withinPortal={false}>
      <Combobox.Target>
        <TextInput
          ref={input}
          type="search"
          aria-label={t("searchAll")}
          placeholder={t("search")}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            list.openDropdown();
          }}
          onFocus={() => list.openDropdown()}
          onBlur={() => list.closeDropdown()}
          rightSection={
            <Kbd size="xs" visibleFrom="md">
              /
            </Kbd>
          }
          w={{ base: 110, xs: 180, md: 320 }}
        />
      </Combobox.Target>
      <Combobox.Dropdown miw={280} hidden={q.length < LEAST}>
        <Combobox.Options aria-label={t("searchAll")}>
          <ScrollArea.Autosize mah={480} type="scroll">
            {q.length >= LEAST && <Found q={q} arrived={list.selectFirstOption} />}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface FoundProps {
  q: string;
  /** Called when there is something to choose from: Enter then opens the first. */
  arrived: () => unknown;
}

function Found({ q, arrived }: FoundProps) {
  const { warehouseId } = useWarehouse();
  const linkOf = useLinks();
  const { data } = useRead("/api/admin/search", { query: { q, ...(warehouseId && { warehouse_id: warehouseId }) } });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => void arrived(), [data]);
  if (!data) return <Loader size="sm" m="sm" />;
  const found = data.results.flatMap((result) => {
    const to = linkOf(pageOf[result.type](String(result.id), result.label));
    return to ? [{ ...result, to }] : [];
  });
  if (found.length === 0) return <Combobox.Empty>{t("nothingFound")}</Combobox.Empty>;
  return kinds
    .map((kind) => found.filter(({ type }) => type === kind))
    .filter(([first]) => first)
    .map((results) => (
      <Combobox.Group key={results[0]?.type} label={nameOf(results[0]?.type ?? "so")}>
        {results.map(({ to, label, sublabel }) => (
          <Combobox.Option key={to} value={to}>
            <Text size="sm" fw={600} span>
              {label}
            </Text>{" "}
            <Text size="sm" span>
              {sublabel}
            </Text>
          </Combobox.Option>
        ))}
      </Combobox.Group>
    ));
}
