import { Anchor, Box, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { day, NOTHING, number, time } from "../../shared/format.js";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/desk.js";
import { useLinks } from "../links.js";
import { RowPage } from "./about.js";
import { Section } from "./facts.js";
import { openRow } from "./open-row.js";
import { person } from "./person.js";
import { useRowKeys } from "./row-keys.js";
import { useRowWindow, type Windowed } from "./row-window.js";
import { SelectAll, type Selection, SelectRow } from "./selection.js";
import { Empty } from "./states.js";
import { Status } from "./status.js";
import { DENSE, useKeptFor } from "./use-kept.js";
import { useRowClock, useWarehouse } from "./warehouse.js";

/** The column that says which warehouse a row is of, shown as long as rows of more than one may be in sight. */
export const WAREHOUSE = "warehouse_code";

/** How a field is shown, by what it is. */
const kinds = {
  ...{ number, time, day },
  status: (status: string) => <Status of={status} />,
  person: (username: string | null) => person(username) ?? NOTHING,
};

interface AnyColumn {
  title: string;
  /** Whether the list can be sorted by it. */
  sorts?: boolean;
  right?: boolean;
  /** It is seen only by whoever asks for it by “Columns”: few do, and the others would be squeezed. */
  isExtra?: boolean;
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

export interface DataTableProps<R> {
  title: string;
  columns: Column<R>[];
  /** Undefined are those of a list that are not read. */
  rows: readonly (R | undefined)[];
  /** What stands in its place where there are no rows. */
  empty?: string;
  /** The page of a row, for whoever may open it: its first column leads there, and so does a click on the row. */
  to?: ((row: R) => string) | undefined;
  /** `created_at`, or `-created_at` for falling. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** The rows that are selected, where something can be done with many. */
  selection?: Selection<R> | undefined;
  /** It is a list: used by keyboard, and so long that only what is near what is seen is drawn. */
  list?: Windowed;
}

/** Rows under their columns, on a phone as cards. A list that the service gives page by page is a `DataList`. */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { title, columns: all, rows, empty, to, sort, onSort, selection, list } = props;
  const link = useLinks();
  const navigate = useNavigate();
  const [isDense] = useKeptFor(DENSE, false);
  const read = rows.filter((row) => row !== undefined);
  const isOneInSight = useIsOneInSight(read);
  const columns = isOneInSight ? all.filter(({ field }) => field !== WAREHOUSE) : all;
  const { box, blocks, blocksInAll, roomOf } = useRowWindow(rows.length, list);
  const size = list?.size ?? rows.length;
  const pageOf = (row: R | undefined) => (row && to ? link(to(row)) : undefined);
  const open = (place: number) => {
    const page = pageOf(rows[place]);
    if (page) void navigate(page);
  };
  const select = (place: number) => {
    const row = rows[place];
    if (row) selection?.set([row], !selection.has(row));
  };
  useRowKeys(box, list !== undefined, { Enter: open, x: select });
  if (rows.length === 0 && empty) return <Empty title={empty} />;
  const room = (from: number, to: number) =>
    from < to && <Room key={`room ${from}`} height={roomOf(from, to)} of={columns.length + (selection ? 1 : 0)} />;
  return (
    <Box
      component="section"
      ref={box}
      tabIndex={0}
      aria-label={title}
      pos="relative"
      className="scrolls"
      mod={{ list: list !== undefined }}
    >
      <Table
        className="cards"
        highlightOnHover
        stickyHeader={list !== undefined}
        verticalSpacing={isDense ? 2 : "xs"}
        role="table"
        aria-label={title}
        aria-rowcount={list && rows.length + 1}
        miw={{ base: 0, sm: Math.min(1100, columns.length * 95) }}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection && <SelectAll of={selection} rows={read} />}
            {columns.map((column) => (
              <Head key={column.field} {...{ column, sort, onSort, isFirst: column === columns[0] }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        {room(0, blocks[0] ?? 0)}
        {blocks.map((block) => {
          const [first, next] = [block * size, Math.min(rows.length, (block + 1) * size)];
          if (rows[first] === undefined) return room(block, block + 1);
          return (
            <Table.Tbody key={block} role="rowgroup" data-block={block}>
              {rows.slice(first, next).map((row, index) => {
                const place = first + index;
                return (
                  row && (
                    <Row key={place} {...{ columns, row, selection, page: pageOf(row) }} {...(list && { place })} />
                  )
                );
              })}
            </Table.Tbody>
          );
        })}
        {room((blocks.at(-1) ?? 0) + 1, blocksInAll)}
      </Table>
    </Box>
  );
}

/** Where rows are that are not drawn. */
const Room = ({ height, of }: { height: number; of: number }) => (
  <Table.Tbody aria-hidden className="room">
    <Table.Tr>
      <Table.Td colSpan={of} p={0} h={height} />
    </Table.Tr>
  </Table.Tbody>
);

interface RowProps<R> {
  columns: Column<R>[];
  row: R;
  /** Its page. */
  page: string | undefined;
  /** Its place in the list. */
  place?: number;
  selection: Selection<R> | undefined;
}

function Row<R extends object>({ columns, row, page, place, selection }: RowProps<R>) {
  const navigate = useNavigate();
  const inClockOf = useRowClock();
  // Rows of a part of a page often lead to other records than the one that is changed there.
  const isOfList = place !== undefined || selection !== undefined;
  return (
    <RowPage value={isOfList ? page : undefined}>
      <Table.Tr
        role="row"
        mod={{ opens: page !== undefined }}
        {...(place !== undefined && { tabIndex: -1, "data-row": place, "aria-rowindex": place + 2 })}
        {...(page && { onClick: (event: MouseEvent<HTMLElement>) => openRow(event, page, navigate) })}
      >
        {selection && <SelectRow of={selection} row={row} />}
        {columns.map((column, index) => {
          const shown = inClockOf(row, () => shownOf(column, row)) ?? NOTHING;
          const isFirst = index === 0;
          return (
            <Table.Td
              key={column.field}
              role="cell"
              ta={isFirst ? undefined : alignOf(column)}
              mod={{ actions: column.field === ACTIONS }}
              data-label={isFirst ? undefined : column.title}
              className={isFirst ? "title" : undefined}
              data-empty={shown === NOTHING || undefined}
            >
              {isFirst && page ? (
                <Anchor component={Link} to={page} fw={600} fz="sm">
                  {shown}
                </Anchor>
              ) : (
                shown
              )}
            </Table.Td>
          );
        })}
      </Table.Tr>
    </RowPage>
  );
}

function shownOf<R extends object>({ field, as, show }: Column<R>, row: R): ReactNode {
  if (show) return show(row);
  const value = (row as Record<string, string | null>)[field];
  return as ? kinds[as](value as string) : value;
}

/** The column of what can be done with a row. */
const ACTIONS = "actions";

const alignOf = ({ field, right, as }: Pick<Column<object>, "field" | "right" | "as">) =>
  right || as === "number" || field === ACTIONS ? "right" : undefined;

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
  /** The title of a row stands at the left, whatever it is. */
  isFirst: boolean;
}

function Head<R>({ column, sort, onSort, isFirst }: HeadProps<R>) {
  const { field, title, sorts } = column;
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  const align = isFirst ? undefined : alignOf(column);
  // The sign stays beside the last word.
  const last = title.lastIndexOf(" ") + 1;
  if (!sorts || !onSort)
    return (
      <Table.Th role="columnheader" scope="col" ta={align} mod={{ actions: field === ACTIONS }}>
        {title}
      </Table.Th>
    );
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      ta={align}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
    >
      <UnstyledButton fw={700} fz="sm" onClick={() => onSort(isUp ? `-${field}` : field)}>
        <VisuallyHidden>{t("sortBy")} </VisuallyHidden>
        {title.slice(0, last)}
        <Box component="span" style={{ whiteSpace: "nowrap" }}>
          {title.slice(last)} <Icon of={isUp ? "sortedUp" : isDown ? "sortedDown" : "sortable"} size={14} />
        </Box>
      </UnstyledButton>
    </Table.Th>
  );
}
