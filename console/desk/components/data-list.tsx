import { Button, Group, LoadingOverlay, Pagination, Paper, Stack, Text } from "@mantine/core";
import { useSearchParams } from "react-router";
import { type Answer, type ReadInput, type ReadPath, urlOf } from "../../../client/src/index.js";
import { api, useAction, useRead } from "../../shared/api.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import { useWarehouse } from "../warehouse.js";
import { type Filter, Filters } from "./filters.js";
import { Empty, Failure, Refused, Waiting } from "./states.js";
import { type Column, DataTable } from "./table.js";

/** The paths whose answers are pages of a list. */
type ListPath = { [P in ReadPath]: Answer<P> extends { total: number; pages: number } ? P : never }[ReadPath];
/** The field of an answer that has the records. */
type RowsField<A> = { [K in keyof A]: A[K] extends object[] ? K : never }[keyof A] & string;
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
  to?: (row: RowOf<Answer<P>, K>) => string;
}

/** A list of the service: filters, order and page stand in the address, so that it can be shared. */
export function DataList<P extends ListPath, K extends RowsField<Answer<P>>>(props: DataListProps<P, K>) {
  const { title, path, of, rows, columns, filters = [], query = {}, ofWarehouse = false, to } = props;
  const [address, setAddress] = useSearchParams();
  const { warehouseId } = useWarehouse();
  const set = (name: string, value: string) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      if (name !== "page") next.delete("page");
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  const names = [...filters.map(({ name }) => name), "sort", "page"];
  const chosen = names.map((name) => [name, address.get(name)]).filter(([, value]) => value);
  const asked = {
    ...query,
    ...(ofWarehouse && warehouseId && { warehouse_id: warehouseId }),
    ...Object.fromEntries(chosen),
  };
  const input = { ...(of && { path: of }), query: asked };
  const { data, error, isFetching, isPlaceholderData } = useRead(path, ...([input] as unknown as ReadInput<P>));
  const { page: _page, ...whole } = asked;
  const csv = useAction(() => download(urlOf(path, of, whole), `${rows}.csv`));
  const { total, page, pages } = (data ?? { total: 0, page: 1, pages: 1 }) as {
    total: number;
    page: number;
    pages: number;
  };
  const records = (data?.[rows as keyof Answer<P>] ?? []) as RowOf<Answer<P>, K>[];
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <Filters filters={filters} values={address} set={set} />
        <Button variant="default" onClick={() => csv.mutate({})} loading={csv.isPending} disabled={total === 0}>
          {t("downloadCsv")}
        </Button>
      </Group>
      <Refused error={csv.error} />
      <Paper withBorder pos="relative">
        <LoadingOverlay visible={isFetching && isPlaceholderData} />
        {error ? <Failure error={error} /> : !data && <Waiting />}
        {!error && data && total === 0 && <Empty title={t("nothingFound")}>{t("nothingFoundHint")}</Empty>}
        {!error && total > 0 && (
          <DataTable
            {...{ title, columns, rows: records }}
            {...(to && { to })}
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

const controls = { first: "«", previous: "‹", next: "›", last: "»" };

/** Saves the whole list, not only its page. */
async function download(path: string, name: string): Promise<void> {
  const response = await api.getAs("text/csv", path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
