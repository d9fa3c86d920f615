import { Button, Group, LoadingOverlay, Pagination, Paper, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type Answer, type ReadInput, type ReadPath, urlOf } from "../../../client/src/index.js";
import { readOnce, useAction, useRead } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { save } from "../../shared/save.js";
import { t } from "../../texts/desk.js";
import { useAddress } from "./address.js";
import { type Filter, Filters } from "./filters.js";
import { Page } from "./page.js";
import { type Bulk, useSelection } from "./selection.js";
import { SelectionBar } from "./selection-bar.js";
import { Empty, Failure, Refused, Waiting } from "./states.js";
import { type Column, DataTable } from "./table.js";
import { useWarehouse } from "./warehouse.js";

/** The field of an answer that has the records. */
type RowsField<A> = { [K in keyof A]: A[K] extends object[] ? K : never }[keyof A] & string;
/** The paths whose answers have records. */
type ListPath = { [P in ReadPath]: [RowsField<Answer<P>>] extends [never] ? never : P }[ReadPath];
type RowOf<A, K extends keyof A> = A[K] extends (infer R extends object)[] ? R : never;

interface DataListProps<P extends ListPath, K extends RowsField<Answer<P>>> {
  title: string;
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
  to?: (row: RowOf<Answer<P>, K>) => string;
  /** What can be done with many of its rows at once. */
  bulk?: Bulk<RowOf<Answer<P>, K>>;
}

/** A list of the service: filters, order and page stand in the address, so that it can be shared. */
export function DataList<P extends ListPath, K extends RowsField<Answer<P>>>(props: DataListProps<P, K>) {
  const { title, path, of, rows, columns, query = {}, ofWarehouse = false, isWhole, limit, to, bulk } = props;
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
  const isNarrowed = filters.some(({ name }) => address.get(name)) || (ofWarehouse && warehouseId !== undefined);
  const page = Number(address.get("page") ?? 1);
  const place = limit ? placeOf(limit, page) : page > 1 ? { page } : {};
  const input = { ...(of && { path: of }), query: { ...whole, ...place } };
  const { data, error, isFetching, isPlaceholderData } = useRead(path, ...([input] as unknown as ReadInput<P>));
  const csv = useAction(() => save("text/csv", urlOf(path, of, whole), `${rows}.csv`));
  const found = (data?.[rows as keyof Answer<P>] ?? []) as RowOf<Answer<P>, K>[];
  const records = found.filter((record) => hasText(record, address.get(LOOK_FOR)));
  const { total = records.length, ...answer } = (data ?? {}) as { total?: number; pages?: number };
  const pages = answer.pages ?? (limit ? Math.ceil(total / limit) : 1);
  const { sort: _, ...asked } = whole as Record<string, string | number>;
  const selection = useSelection(bulk, records, JSON.stringify([path, of, asked]));
  /** All that is found, page by page. */
  const readAll = async () => {
    const all: typeof found = [];
    for (let next = 1; all.length < total; next++) {
      const part = limit ? placeOf(limit, next) : { page: next, per_page: 1000 };
      const more = await readOnce(path, { ...(of && { path: of }), query: { ...whole, ...part } });
      const rowsOf = (more as Record<K, typeof found>)[rows];
      all.push(...rowsOf);
      if (rowsOf.length === 0) break;
    }
    return all;
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <Filters filters={filters} values={address} set={set} />
        <Button variant="default" onClick={() => csv.mutate({})} loading={csv.isPending} disabled={total === 0}>
          {t("downloadCsv")}
        </Button>
      </Group>
      <Refused error={csv.error} />
      {selection && <SelectionBar of={selection} to={to} {...(!isWhole && { found: { total, read: readAll } })} />}
      <Paper withBorder pos="relative">
        <LoadingOverlay visible={isFetching && isPlaceholderData} />
        {error ? <Failure error={error} /> : !data && <Waiting />}
        {!error && data && total === 0 && (
          <Empty title={t("nothingFound")}>{isNarrowed && t("nothingFoundHint")}</Empty>
        )}
        {!error && total > 0 && (
          <DataTable
            {...{ title, columns, rows: records }}
            {...(to && { to })}
            selection={selection}
            sort={address.get("sort") ?? undefined}
            onSort={(sort) => set("sort", sort)}
          />
        )}
      </Paper>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {t("found", { count: number(total) })}
        </Text>
        {pages > 1 && (
          <Pagination
            total={pages}
            value={page}
            onChange={(next) => set("page", String(next))}
            size="sm"
            aria-label={t("pages")}
            getControlProps={(control) => ({ "aria-label": controls[control] })}
          />
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

/** A page of a list that is asked for by `limit` and `offset`. */
const placeOf = (limit: number, page: number) => ({ limit, offset: (page - 1) * limit });

/** The filter of a list that comes whole. */
const LOOK_FOR = "find";
const hasText = (record: object, text: string | null) =>
  !text || JSON.stringify(Object.values(record)).toLowerCase().includes(text.toLowerCase());

const controls = { first: "«", previous: "‹", next: "›", last: "»" };
