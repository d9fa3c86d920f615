import { Code } from "@mantine/core";
import { t } from "../../../texts/inbound.js";
import { DataTable } from "../../components/table.js";

type Values = Record<string, unknown>;

/** A value as it is stored: text as it is, what has parts as JSON. */
const shown = (value: unknown) => {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** The fields of a record that have a value, one in each row. */
export const FieldTable = ({ title, of }: { title: string; of: Values }) => (
  <DataTable
    title={title}
    rows={Object.entries(of).flatMap(([column, value]) => (value === null ? [] : [{ column, value: shown(value) }]))}
    columns={[
      { field: "column", title: t("column"), show: ({ column }) => <Code>{column}</Code> },
      { field: "value", title: t("value") },
    ]}
  />
);

/** Records under the columns that any of them has a value in. */
export function RecordTable({ title, of }: { title: string; of: Values[] }) {
  const fields = new Set(of.flatMap((row) => Object.keys(row).filter((field) => (row[field] ?? null) !== null)));
  return (
    <DataTable
      title={title}
      rows={of}
      columns={[...fields].map((field) => ({ field, title: field, show: (row: Values) => shown(row[field]) }))}
    />
  );
}
