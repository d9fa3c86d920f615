import { Autocomplete, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { PurchaseOrder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/purchasing.js";
import { typed } from "../../values.js";

/** The fields of an order's header. */
export function OrderFields({ of }: { of?: PurchaseOrder }) {
  const maySeeVendors = mayOpen(useMe(), "vendors");
  const vendor = { name: "vendor_name", label: t("vendor"), defaultValue: of?.vendor_name ?? "", maxLength: 256 };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="po_number"
          label={t("number")}
          defaultValue={of?.po_number}
          maxLength={128}
          required
          data-autofocus
        />
        <TextInput
          name="po_barcode"
          label={t("barcode")}
          defaultValue={of?.po_barcode}
          maxLength={128}
          required={Boolean(of)}
        />
        {maySeeVendors ? <KnownVendor {...vendor} /> : <TextInput {...vendor} />}
        <TextInput name="expected_date" label={t("expected")} type="date" defaultValue={of?.expected_date ?? ""} />
      </SimpleGrid>
      <Textarea name="notes" label={t("notes")} defaultValue={of?.notes ?? ""} maxLength={1000} autosize minRows={2} />
    </>
  );
}

/** Any name, with those of the vendors to choose from. */
function KnownVendor(field: { name: string; label: string; defaultValue: string; maxLength: number }) {
  const { data } = useRead("/api/admin/vendors", { query: { active: "true", per_page: 1000 } });
  const names = [...new Set((data?.vendors ?? []).map(({ vendor_name }) => vendor_name))];
  return <Autocomplete {...field} data={names} limit={20} openOnFocus={false} />;
}

export const headerIn = (values: Record<string, string>) => ({
  vendor_name: typed(values.vendor_name),
  expected_date: typed(values.expected_date),
  notes: typed(values.notes),
});
