import { Button, Checkbox, Divider, Popover, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { t } from "../../texts/desk.js";
import { useAddress } from "./address.js";
import { DENSE, useKeptFor } from "./use-kept.js";

/** The parameter of the address that has the fields whose columns are not shown. */
export const HIDDEN = "hide";

interface Columns<C> {
  shown: C[];
  /** The fields of the others. */
  hidden: string[];
  menu: ReactNode;
}

/**
 * The columns of a list that the user wants to see, and the menu in which they are chosen. The choice is kept for the
 * list; an address that has one of its own, such as that of a view, comes first.
 */
export function useColumns<C extends { field: string; title: string; isExtra?: boolean }>(
  list: string,
  all: C[],
): Columns<C> {
  const [address, set] = useAddress();
  const [area] = useLocation().pathname.split("/").filter(Boolean);
  const extra = all.flatMap(({ field, isExtra }) => (isExtra ? [field] : []));
  const [kept, keep] = useKeptFor<string[]>(`columns ${area} ${list}`, extra);
  const [isDense, setDense] = useKeptFor(DENSE, false);
  const hidden = address.get(HIDDEN)?.split(",") ?? kept;
  // The first one has the name of the row, and its link.
  const [first, ...others] = all;
  const shown = all.filter((column) => column === first || !hidden.includes(column.field));
  const choose = (field: string, isShown: boolean) => {
    const next = isShown ? hidden.filter((one) => one !== field) : [...hidden, field];
    keep(next);
    if (address.has(HIDDEN)) set(HIDDEN, next.join(","));
  };
  const menu = (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{t("columns")}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("columns")}>
        <Stack gap="xs" mah="60vh" className="choices">
          {others.map(({ field, title }) => (
            <Checkbox
              key={field}
              label={title}
              checked={!hidden.includes(field)}
              onChange={({ currentTarget }) => choose(field, currentTarget.checked)}
            />
          ))}
          <Divider />
          <Checkbox
            label={t("denseRows")}
            checked={isDense}
            onChange={({ currentTarget }) => setDense(currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
  return { shown, hidden, menu };
}
