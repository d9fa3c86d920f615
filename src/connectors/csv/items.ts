import { columns } from "../../inbound/columns.js";
import type { SourceRecord } from "../connector.js";
import { contentVersion } from "../content-version.js";
import type { RowFileKind } from "./pages.js";

const { default_bin_id, ...itemColumns } = columns.items;

/** Each row is an item, identified by its SKU. */
export const items: RowFileKind<SourceRecord> = {
  url: "items_url",
  columns: itemColumns,
  keyOf: ({ sku }) => sku as string,
  recordOf: (values, row) => ({
    resource: "items",
    external_id: values.sku as string,
    external_version: contentVersion(values),
    byContent: true,
    values,
    payload: row.values,
  }),
};
