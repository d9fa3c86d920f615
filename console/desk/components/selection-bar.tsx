import { Button, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useAction } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/bulk.js";
import type { BulkAction } from "./bulk-action.js";
import { BulkDialog } from "./bulk-dialog.js";
import { type Bulk, type Selection, useSelection } from "./selection.js";
import { Refused } from "./states.js";
import { DataTable, type DataTableProps } from "./table.js";

interface SelectionBarProps<R> {
  of: Selection<R>;
  to?: ((row: R) => string) | undefined;
  /** All that the list finds, where not all of it is in sight. */
  found?: { total: number; read: () => Promise<R[]> } | undefined;
}

/** More are not selected at once: whoever means so many narrows the filter, and sees what they are. */
const MOST = 2_000;

/** How many rows are selected, and what can be done with them; nothing, as long as none is. */
export function SelectionBar<R>({ of, to, found }: SelectionBarProps<R>) {
  const [asked, ask] = useState<{ action: BulkAction<R>; rows: R[] }>();
  const all = useAction(
    async () => found?.read() ?? [],
    (rows) => of.set(rows, true),
  );
  const isMore = found && found.total > of.rows.length && found.total <= MOST;
  const offered = of.actions
    .map((action) => ({ action, rows: action.fits ? of.rows.filter(action.fits) : of.rows }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      {of.rows.length > 0 && (
        <Paper component="section" withBorder p="xs" className="selection no-print" aria-label={t("selection")}>
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {t("selected", { count: number(of.rows.length) })}
            </Text>
            {isMore && (
              <Button size="xs" variant="subtle" onClick={() => all.mutate({})} loading={all.isPending}>
                {t("selectFound", { count: number(found.total) })}
              </Button>
            )}
            {offered.map(({ action, rows }) => (
              <Button
                key={action.label}
                size="xs"
                variant="default"
                mod={{ dangerous: action.isDangerous }}
                onClick={() => ask({ action, rows })}
              >
                {action.label}
              </Button>
            ))}
            <Button size="xs" variant="subtle" onClick={of.clear}>
              {t("deselect")}
            </Button>
          </Group>
          <Refused error={all.error} />
        </Paper>
      )}
      {asked && (
        <BulkDialog
          {...asked}
          {...{ of, to }}
          close={(done) => {
            ask(undefined);
            of.set(done, false);
          }}
        />
      )}
    </>
  );
}

interface SelectableTableProps<R> extends DataTableProps<R> {
  rows: R[];
  bulk: Bulk<R> | undefined;
  /** What stands in the table's place where there are no rows: what became of those that were there is still told. */
  nothing?: ReactNode;
}

/** Rows that are there already, with what can be done with many of them. */
export function SelectableTable<R extends object>({ bulk, nothing, ...table }: SelectableTableProps<R>) {
  const selection = useSelection(
    bulk,
    table.rows.filter((row) => row !== undefined),
  );
  return (
    <>
      {selection && <SelectionBar of={selection} to={table.to} />}
      {table.rows.length === 0 ? nothing : <DataTable {...table} selection={selection} />}
    </>
  );
}
