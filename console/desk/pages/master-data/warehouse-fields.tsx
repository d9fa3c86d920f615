import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import type { Warehouse } from "../../../../client/src/index.js";
import { t } from "../../../texts/master-data.js";
import { chosenDays, DaysField } from "../../components/days-field.js";
import { typed } from "../../values.js";

export const WarehouseFields = ({ of }: { of?: Warehouse }) => (
  <>
    <TextInput
      name="warehouse_code"
      label={t("code")}
      defaultValue={of?.warehouse_code}
      maxLength={32}
      required
      data-autofocus
    />
    <TextInput name="warehouse_name" label={t("name")} defaultValue={of?.warehouse_name} maxLength={256} required />
    <Textarea name="address" label={t("address")} defaultValue={of?.address ?? ""} maxLength={512} autosize />
    <Select
      name="timezone"
      label={t("timezone")}
      description={t("timezoneHint")}
      data={Intl.supportedValuesOf("timeZone")}
      defaultValue={of?.timezone ?? null}
      placeholder={t("ofCompany")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("ofCompany") }}
      nothingFoundMessage="–"
    />
    <DaysField name="closed_days" label={t("closedDays")} hint={t("closedDaysHint")} days={of?.closed_days ?? []} />
    {of && <Checkbox name="is_active" label={t("active")} defaultChecked={of.is_active} />}
  </>
);

export const warehouseIn = (values: Record<string, string>) => ({
  ...{ warehouse_code: values.warehouse_code ?? "", warehouse_name: values.warehouse_name ?? "" },
  ...{ address: typed(values.address), timezone: typed(values.timezone) },
  closed_days: chosenDays(values, "closed_days"),
});
