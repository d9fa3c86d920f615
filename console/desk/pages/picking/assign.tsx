import { NativeSelect } from "@mantine/core";
import { type Api, useRead } from "../../../shared/api.js";
import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { Decision } from "../../components/decision.js";

interface PickerFieldProps {
  warehouse_id?: number | undefined;
  /** Who picks now, and is not offered. */
  except?: string | undefined;
}

/** A field for who may pick in a warehouse, or in any of the user's. */
export function PickerField({ warehouse_id, except }: PickerFieldProps) {
  const { data } = useRead("/api/admin/waves/board", { query: warehouse_id ? { warehouse_id } : {} });
  const choices = (data?.pickers ?? [])
    .filter(({ user_id, username }) => user_id !== null && username !== except)
    .map(({ user_id, username, full_name }) => ({ value: String(user_id), label: full_name ?? username }));
  const none = { value: "", label: t("chooseOne") };
  return <NativeSelect name="user_id" label={t("picker")} data={[none, ...choices]} required data-autofocus />;
}

/** Gives a wave that waits to the chosen picker; with `take_over` also one that somebody picks. */
export const assign = (batch_id: number, { user_id }: Record<string, string>, api: Api, take_over = false) =>
  api.post("/api/admin/pick-batches/{batch_id}/assign", {
    path: { batch_id },
    body: { user_id: Number(user_id), ...(take_over && { take_over }) },
  });

interface HandOverProps {
  wave: { batch_id: number; batch_number: string; warehouse_id: number };
  /** Who picks it now. */
  picker: string;
  isSmall?: boolean;
}

/** Gives a wave that somebody picks to somebody else, who goes on where that one was. */
export const HandOver = ({
  wave: { batch_id, batch_number, warehouse_id },
  picker,
  isSmall = false,
}: HandOverProps) => (
  <Decision
    isSmall={isSmall}
    label={board("handOver")}
    title={board("handOverTitle", { number: batch_number })}
    act={(values, api) => assign(batch_id, values, api, true)}
  >
    <PickerField warehouse_id={warehouse_id} except={picker} />
    {board("handOverHint")}
  </Decision>
);
