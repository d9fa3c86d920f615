import { NativeSelect, TextInput } from "@mantine/core";
import type { Parcel } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/parcels.js";
import { AmountFields, amountIn } from "../../components/amount-fields.js";
import { Decision } from "../../components/decision.js";
import { typed } from "../../values.js";

/** Notes a label that somebody bought elsewhere, where the warehouse has an account for that; for an ADMIN. */
export function NoteLabel({ parcel }: { parcel: Parcel }) {
  const { parcel_id, warehouse_id, parcel_number: number, so_number: order } = parcel;
  const { data } = useRead("/api/admin/carriers", { query: { warehouse_id, per_page: 1000 } });
  const accounts = (data?.carrier_accounts ?? []).filter((one) => one.carrier === "manual" && one.is_active);
  if (accounts.length === 0) return null;
  return (
    <Decision
      isSmall
      label={t("noteLabel")}
      title={t("noteTitle", { number, order })}
      act={({ account_id, tracking_number = "", carrier, service, ...values }, api) => {
        const { minor, currency } = amountIn(values, "cost");
        return api.post("/api/packing/parcels/{parcel_id}/label", {
          path: { parcel_id },
          body: {
            ...{ account_id: Number(account_id), tracking_number },
            ...(typed(carrier) && { carrier }),
            ...(typed(service) && { service }),
            ...(minor !== null && { cost_minor: minor }),
            ...(currency !== null && { cost_currency: currency }),
          },
        });
      }}
    >
      <NativeSelect
        name="account_id"
        label={t("account")}
        data={accounts.map(({ account_id, account_name }) => ({ value: String(account_id), label: account_name }))}
      />
      <TextInput name="tracking_number" label={t("tracking")} maxLength={255} required data-autofocus />
      <TextInput name="carrier" label={t("carrier")} maxLength={100} />
      <TextInput name="service" label={t("service")} maxLength={100} />
      <AmountFields name="cost" label={t("cost")} currencyLabel={t("currency")} minor={null} currency={null} />
    </Decision>
  );
}
