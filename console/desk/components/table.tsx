import { Anchor, Box, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { NOTHING } from "../../shared/format.js";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/desk.js";
import { useLinks } from "../links.js";
import { useRowClock, useWarehouse } from "./warehouse.js";

/** The column that says which warehouse a row is of, shown as long as rows of more than one may be in sight. */
export const WAREHOUSE = "warehouse_code";

export interface Column<R> {
  /** The field it shows, and by which it is sorted. */
  field: string;
  title: string;
  /** Whether the list can be sorted by it. */
  sorts?: boolean;
  /** Numbers stand at the right. */
  right?: boolean;
  /** What is shown in place of the field itself. */
  show?: (row: R) => ReactNode;
}

interface DataTableProps<R> {
  title: string;
  columns: Column<R>[];
  rows: R[];
  /** The page of a row; its first column leads there, for whoever may open it. */
  to?: (row: R) => string;
  /** `created_at`, or `-created_at` for falling. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
}

/** Rows under their columns. A list that the service gives page by page is a `DataList`. */
export function DataTable<R extends object>({ title, columns: all, rows, to, sort, onSort }: DataTableProps<R>) {
  const link = useLinks();
  const inClockOf = useRowClock();
  const isOneInSight = useIsOneInSight(rows);
  const columns = isOneInSight ? all.filter(({ field }) => field !== WAREHOUSE) : all;
  return (
    <Box component="section" tabIndex={0} aria-label={title} pos="relative" className="scrolls">
      <Table highlightOnHover verticalSpacing="xs" aria-label={title} miw={Math.min(900, columns.length * 110)}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state of their own
            <Table.Tr key={place}>
              {columns.map(({ field, right, show }, index) => {
                const value = show ? inClockOf(row, () => show(row)) : (row as Record<string, ReactNode>)[field];
                const shown = value ?? NOTHING;
                const page = index === 0 && to ? link(to(row)) : undefined;
                return (
                  <Table.Td key={field} ta={right ? "right" : undefined}>
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

function Head<R>({ column: { field, title, right, sorts }, sort, onSort }: HeadProps<R>) {
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  const align = right ? "right" : undefined;
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
