import { Group, LoadingOverlay, Paper, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type Answer, type ReadPath, urlOf } from "../../../client/src/index.js";
import { readOnce } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import type { EmptyList } from "../../texts/empty-lists.js";
import { useAddress } from "./address.js";
import { useColumns } from "./column-menu.js";
import { CsvMenu } from "./csv-menu.js";
import { EmptyOf } from "./empty-list.js";
import { type Filter, ListFilters } from "./filters.js";
import { placeOf, useListPages } from "./list-pages.js";
import { ListTotals } from "./list-totals.js";
import { Page } from "./page.js";
import type { Drawn } from "./row-window.js";
import { type Bulk, useSelection } from "./selection.js";
import { SelectionBar } from "./selection-bar.js";
import { Failure, Waiting, WithinPart } from "./states.js";
import { type Column, DataTable } from "./table.js";
import { ViewMenu } from "./view-menu.js";
import { useWarehouse } from "./warehouse.js";

/** The field of an answer that has the records. */
type RowsField<A> = { [K in keyof A]: A[K] extends object[] ? K : never }[keyof A] & string;
/** The paths whose answers have records. */
type ListPath = { [P in ReadPath]: [RowsField<Answer<P>>] extends [never] ? never : P }[ReadPath];
type RowOf<A, K extends keyof A> = A[K] extends (infer R extends object)[] ? R : never;

type Totals<A> = A extends { totals?: infer T } ? NonNullable<T> : never;

interface DataListProps<P extends ListPath, K extends RowsField<Answer<P>>> {
  title: string;
  /** What is said where it has no rows at all. */
  none?: EmptyList | undefined;
  path: P;
  /** The values of the path, where it has some. */
  of?: Record<string, string | number>;
  /** The field of the answer that has the records. */
  rows: K;
  columns: Column<RowOf<Answer<P>, K>>[];
  filters?: Filter[];
  /** Parameters that nobody changes. */
  query?: Record<string, string | number>;
  /** Whether it is of the warehouse that the desk looks at. */
  ofWarehouse?: boolean;
  /** It comes whole, so it is searched here. */
  isWhole?: boolean;
  /** It is asked for by `limit` and `offset`: so many records are a page. */
  limit?: number;
  /** It may have so many records that nobody waits until they are counted. */
  isLong?: boolean;
  to?: (row: RowOf<Answer<P>, K>) => string;
  /** What can be done with many of its rows at once. */
  bulk?: Bulk<RowOf<Answer<P>, K>> | undefined;
  /** The sums that its foot shows, and what they are called. */
  totals?: Partial<Record<keyof Totals<Answer<P>> & string, string>>;
}

/** A list of the service: filters, order and page stand in the address, so that it can be shared. */
export function DataList<P extends ListPath, K extends RowsField<Answer<P>>>(props: DataListProps<P, K>) {
  const { title, none, path, of, rows, columns, query = {}, ofWarehouse = false, isWhole, limit, isLong } = props;
  const { to, bulk, totals } = props;
  const { filters = isWhole ? [{ name: LOOK_FOR, label: t("search") }] : [] } = props;
  const [address, set] = useAddress();
  const { warehouseId } = useWarehouse();
  const names = [...filters.map(({ name }) => name), "sort"].filter((name) => name !== LOOK_FOR);
  const chosen = names.map((name) => [name, address.get(name)]).filter(([, value]) => value);
  const whole = {
    ...query,
    ...(ofWarehouse && warehouseId && { warehouse_id: warehouseId }),
    ...Object.fromEntries(chosen),
  };
  const narrowing = filters.filter(({ name }) => address.get(name));
  const clear = () => {
    for (const { name } of narrowing) set(name, "");
  };
  const first = Math.max(Number(address.get("page")) || 1, 1) - 1;
  const pages = useListPages<P, RowOf<Answer<P>, K>>(rows, { path, of, query: whole, limit, first, isLong });
  const { shown, isOld, error } = pages;
  const text = address.get(LOOK_FOR);
  const records = (shown?.rows ?? []).filter((record) => !isWhole || (record && hasText(record, text)));
  const inSight = records.filter((record) => record !== undefined);
  const total = isWhole ? records.length : (shown?.total ?? 0);
  const choice = useColumns(`${rows} ${path}`, columns);
  const drawn = (blocks: Drawn) => {
    pages.draw(blocks);
    // Whoever comes back is where they were.
    const page = blocks.seen > 0 ? String(blocks.seen + 1) : "";
    if (page !== (new URLSearchParams(window.location.search).get("page") ?? "")) set("page", page, { replace: true });
  };
  const { sort: _, ...asked } = whole as Record<string, string | number>;
  const selection = useSelection(bulk, inSight, JSON.stringify([path, of, asked]));
  /** All that is found, page by page. */
  const readAll = async () => {
    const all: typeof inSight = [];
    for (let next = 0; all.length < total; next++) {
      const part = limit ? placeOf(next, limit) : { page: next + 1, per_page: 1000 };
      const more = await readOnce(path, { ...(of && { path: of }), query: { ...whole, ...part } });
      const rowsOf = (more as Record<K, typeof inSight>)[rows];
      all.push(...rowsOf);
      if (rowsOf.length === 0) break;
    }
    return all;
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <ListFilters {...{ filters, ofWarehouse, set }} values={address} />
        <Group gap="xs" className="list-tools">
          <ViewMenu hidden={choice.hidden} />
          {choice.menu}
          <CsvMenu url={urlOf(path, of, whole)} name={`${rows}.csv`} isDisabled={total === 0} />
        </Group>
      </Group>
      {selection && <SelectionBar of={selection} to={to} {...(!isWhole && { found: { total, read: readAll } })} />}
      <Paper withBorder pos="relative">
        <LoadingOverlay visible={isOld && shown !== undefined} zIndex={4} />
        {error ? <Failure error={error} /> : !shown && <Waiting />}
        {!error && shown && total === 0 && (
          <WithinPart value={false}>
            <EmptyOf of={none} clear={narrowing.length > 0 ? clear : undefined} ofWarehouse={ofWarehouse} />
          </WithinPart>
        )}
        {!error && shown && total > 0 && (
          <DataTable
            {...{ title, to, selection }}
            columns={choice.shown}
            rows={records}
            list={{ list: `${pages.list} ${text ?? ""}`, size: shown.size, first, drawn }}
            sort={address.get("sort") ?? undefined}
            onSort={(sort) => set("sort", sort)}
          />
        )}
      </Paper>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {shown?.isExact === false
            ? t("foundAtLeast", { count: number(total - 1) })
            : t("found", { count: number(total) })}
        </Text>
        {totals && total > 0 && (
          <ListTotals path={path} of={of} query={asked} labels={totals as Record<string, string>} />
        )}
      </Group>
    </Stack>
  );
}

interface ListPageProps<P extends ListPath, K extends RowsField<Answer<P>>> extends DataListProps<P, K> {
  actions?: ReactNode;
}

/** A page that is a list. */
export const ListPage = <P extends ListPath, K extends RowsField<Answer<P>>>({
  actions,
  ...list
}: ListPageProps<P, K>) => (
  <Page title={list.title} actions={actions}>
    <DataList {...list} />
  </Page>
);

/** The filter of a list that comes whole. */
const LOOK_FOR = "find";
const hasText = (record: object, text: string | null) =>
  !text || JSON.stringify(Object.values(record)).toLowerCase().includes(text.toLowerCase());
