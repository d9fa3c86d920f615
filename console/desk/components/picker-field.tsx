import { NativeSelect } from "@mantine/core";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/picking.js";
import { useNameOf } from "./person.js";

interface PickerFieldProps {
  /** The warehouse; without it any of the user's. */
  warehouse_id?: number | undefined;
  /** Who picks now, and is not offered. */
  except?: string | undefined;
  /** It may be nobody: then whoever comes first. */
  isOptional?: boolean;
}

/** A field for who may pick. */
export function PickerField({ warehouse_id, except, isOptional = false }: PickerFieldProps) {
  const { data } = useRead("/api/admin/waves/board", { query: warehouse_id ? { warehouse_id } : {} });
  const nameOf = useNameOf();
  const choices = (data?.pickers ?? [])
    .filter(({ user_id, username }) => user_id !== null && username !== except)
    .map(({ user_id, username, full_name }) => ({ value: String(user_id), label: nameOf(username, full_name) }));
  const none = { value: "", label: t(isOptional ? "waitsForPicker" : "chooseOne") };
  return (
    <NativeSelect name="user_id" label={t("picker")} data={[none, ...choices]} required={!isOptional} data-autofocus />
  );
}
