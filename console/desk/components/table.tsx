import { Anchor, Box, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { day, NOTHING, number, time } from "../../shared/format.js";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/desk.js";
import { useLinks } from "../links.js";
import { Section } from "./facts.js";
import { SelectAll, type Selection, SelectRow, selectByKey } from "./selection.js";
import { Empty } from "./states.js";
import { Status } from "./status.js";
import { useRowClock, useWarehouse } from "./warehouse.js";

/** The column that says which warehouse a row is of, shown as long as rows of more than one may be in sight. */
export const WAREHOUSE = "warehouse_code";

/** How a field is shown, by what it is. */
const kinds = { number, time, day, status: (status: string) => <Status of={status} /> };

interface AnyColumn {
  title: string;
  /** Whether the list can be sorted by it. */
  sorts?: boolean;
  right?: boolean;
}

/** A column: the field it shows and by which it is sorted, or what is shown in place of one. */
export type Column<R> = AnyColumn &
  (
    | {
        field: keyof R & string;
        /** What the field is; numbers stand at the right. */
        as?: keyof typeof kinds;
        show?: never;
      }
    | { field: string; as?: never; show: (row: R) => ReactNode }
  );

interface DataTableProps<R> {
  title: string;
  columns: Column<R>[];
  rows: R[];
  /** What stands in its place where there are no rows. */
  empty?: string;
  /** The page of a row; its first column leads there, for whoever may open it. */
  to?: (row: R) => string;
  /** `created_at`, or `-created_at` for falling. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** The rows that are selected, where something can be done with many. */
  selection?: Selection<R> | undefined;
}

/** Rows under their columns. A list that the service gives page by page is a `DataList`. */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { title, columns: all, rows, empty, to, sort, onSort, selection } = props;
  const link = useLinks();
  const inClockOf = useRowClock();
  const isOneInSight = useIsOneInSight(rows);
  const columns = isOneInSight ? all.filter(({ field }) => field !== WAREHOUSE) : all;
  if (rows.length === 0 && empty) return <Empty title={empty} />;
  return (
    <Box component="section" tabIndex={0} aria-label={title} pos="relative" className="scrolls">
      <Table highlightOnHover verticalSpacing="xs" aria-label={title} miw={Math.min(900, columns.length * 110)}>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAll of={selection} rows={rows} />}
            {columns.map((column) => (
              <Head key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state of their own
            <Table.Tr key={place} {...(selection && { onKeyDown: selectByKey(selection, row) })}>
              {selection && <SelectRow of={selection} row={row} />}
              {columns.map((column, index) => {
                const shown = inClockOf(row, () => shownOf(column, row)) ?? NOTHING;
                const page = index === 0 && to ? link(to(row)) : undefined;
                return (
                  <Table.Td key={column.field} ta={alignOf(column)}>
                    {page ? (
                      <Anchor component={Link} to={page} fw={600} style={{ whiteSpace: "nowrap" }}>
                        {shown}
                      </Anchor>
                    ) : (
                      shown
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function shownOf<R extends object>({ field, as, show }: Column<R>, row: R): ReactNode {
  if (show) return show(row);
  const value = (row as Record<string, string | null>)[field];
  return as ? kinds[as](value as string) : value;
}

const alignOf = ({ right, as }: Pick<Column<object>, "right" | "as">) =>
  right || as === "number" ? "right" : undefined;

/** A part of a page that is a table. */
export const TableSection = <R extends object>({ actions, ...table }: DataTableProps<R> & { actions?: ReactNode }) => (
  <Section title={table.title} actions={actions}>
    <DataTable {...table} />
  </Section>
);

/** Whether all rows are of one warehouse, and others would be too. */
function useIsOneInSight(rows: object[]): boolean {
  const { warehouses, warehouseId } = useWarehouse();
  const codes = new Set(rows.map((row) => (row as Record<string, unknown>)[WAREHOUSE]));
  return codes.size < 2 && (warehouseId !== undefined || warehouses.length < 2);
}

interface HeadProps<R> {
  column: Column<R>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<R>({ column, sort, onSort }: HeadProps<R>) {
  const { field, title, sorts } = column;
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  const align = alignOf(column);
  if (!sorts || !onSort)
    return (
      <Table.Th scope="col" ta={align}>
        {title}
      </Table.Th>
    );
  return (
    <Table.Th scope="col" ta={align} aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <UnstyledButton fw={700} fz="sm" onClick={() => onSort(isUp ? `-${field}` : field)}>
        <VisuallyHidden>{t("sortBy")} </VisuallyHidden>
        {title}
        {"\u00a0"}
        <Icon of={isUp ? "sortedUp" : isDown ? "sortedDown" : "sortable"} size={14} />
      </UnstyledButton>
    </Table.Th>
  );
}
