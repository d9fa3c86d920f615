import { NativeSelect } from "@mantine/core";
import { type Api, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/picking.js";

/** A field for who may pick in a warehouse, or in any of the user's. */
export function PickerField({ warehouse_id }: { warehouse_id?: number }) {
  const { data } = useRead("/api/admin/waves/board", { query: warehouse_id ? { warehouse_id } : {} });
  const choices = (data?.pickers ?? [])
    .filter(({ user_id }) => user_id !== null)
    .map(({ user_id, username, full_name }) => ({ value: String(user_id), label: full_name ?? username }));
  return <NativeSelect name="user_id" label={t("picker")} data={choices} required data-autofocus />;
}

/** Gives a wave that waits to the chosen picker. */
export const assign = (batch_id: number, { user_id }: Record<string, string>, api: Api) =>
  api.post("/api/admin/pick-batches/{batch_id}/assign", { path: { batch_id }, body: { user_id: Number(user_id) } });
