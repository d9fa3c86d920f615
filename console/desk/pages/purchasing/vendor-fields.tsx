import { Checkbox, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { Vendor } from "../../../../client/src/index.js";
import { t } from "../../../texts/purchasing.js";
import { typed } from "../../values.js";

export function VendorFields({ of }: { of?: Vendor }) {
  const short = [
    ["contact_name", t("contact"), 256],
    ["email", t("email"), 255],
    ["phone", t("phone"), 64],
    ["tax_id", t("taxId"), 64],
    ["payment_terms", t("paymentTerms"), 64],
  ] as const;
  const long = [
    ["billing_address", t("billingAddress")],
    ["remit_to_address", t("remitTo")],
  ] as const;
  return (
    <>
      <TextInput
        name="vendor_name"
        label={t("name")}
        defaultValue={of?.vendor_name}
        maxLength={256}
        required
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {short.map(([name, label, maxLength]) => (
          <TextInput key={name} {...{ name, label, maxLength }} defaultValue={of?.[name] ?? ""} />
        ))}
      </SimpleGrid>
      {long.map(([name, label]) => (
        <Textarea key={name} {...{ name, label }} defaultValue={of?.[name] ?? ""} maxLength={1000} autosize />
      ))}
      <Checkbox name="is_active" label={t("active")} defaultChecked={of?.is_active ?? true} />
    </>
  );
}

export const vendorIn = ({ vendor_name = "", ...values }: Record<string, string>) => ({
  vendor_name,
  ...{ contact_name: typed(values.contact_name), email: typed(values.email), phone: typed(values.phone) },
  ...{ billing_address: typed(values.billing_address), remit_to_address: typed(values.remit_to_address) },
  ...{ tax_id: typed(values.tax_id), payment_terms: typed(values.payment_terms) },
  is_active: values.is_active === "on",
});
