import { Select, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import type { Answer } from "../../../client/src/index.js";
import { api, useRead } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import { Refused } from "./states.js";

type Item = Pick<Answer<"/api/lookup/item/search">[number], "item_id" | "sku" | "item_name">;

interface AddItemProps {
  label: string;
  /** Of which warehouse it is said what can still be sold. */
  warehouse_id: number | undefined;
  add: (item: Item) => void;
}

/** Adds one item after the other: chosen by SKU, name or barcode, or scanned. */
export function AddItem({ add, ...props }: AddItemProps) {
  const [asked, setAsked] = useState(0);
  const next = () => setAsked((before) => before + 1);
  const scanned = useMutation({
    mutationFn: (barcode: string) => api.get("/api/lookup/item/{barcode}", { path: { barcode } }),
    onSuccess: ({ item }) => add(item),
    onSettled: next,
  });
  const choose = (item: Item) => {
    scanned.reset();
    add(item);
    next();
  };
  return (
    <Stack gap="xs">
      {/* A new field for the next one, in which nothing is left of the last. */}
      <ItemToAdd key={asked} isNext={asked > 0} add={choose} scan={scanned.mutate} {...props} />
      <Refused error={scanned.error} />
    </Stack>
  );
}

interface ItemToAddProps extends AddItemProps {
  isNext: boolean;
  scan: (barcode: string) => void;
}

function ItemToAdd({ label, warehouse_id, add, isNext, scan }: ItemToAddProps) {
  const [text, search] = useState("");
  const [q] = useDebouncedValue(text, 200);
  const query = { q, ...(warehouse_id && { warehouse_id }) };
  const { data = [], isPlaceholderData } = useRead("/api/lookup/item/search", { query });
  const isFound = text === q && !isPlaceholderData;
  const found = isFound ? data : [];
  const options = found.map(({ item_id, sku, item_name, quantity_free }) => ({
    value: String(item_id),
    label: [sku, item_name, ...(quantity_free === undefined ? [] : [t("free", { count: number(quantity_free) })])].join(
      " · ",
    ),
  }));
  /** A scanner is faster than the search: what it typed is asked for as a code. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || text.trim() === "" || options.length > 0) return;
    event.preventDefault();
    scan(text.trim());
  };
  return (
    <Select
      label={label}
      description={t("searchOrScan")}
      searchable
      data={options}
      filter={({ options }) => options}
      value={null}
      onChange={(value) => {
        const item = found.find(({ item_id }) => String(item_id) === value);
        if (item) add(item);
      }}
      onSearchChange={search}
      onKeyDown={onKeyDown}
      nothingFoundMessage={isFound && q !== "" && t("nothingFound")}
      placeholder={t("typeToSearch")}
      comboboxProps={{ withinPortal: true }}
      openOnFocus={false}
      selectFirstOptionOnChange
      {...(isNext && { ref: focused })}
    />
  );
}

const focused = (element: HTMLElement | null) => element?.focus();
