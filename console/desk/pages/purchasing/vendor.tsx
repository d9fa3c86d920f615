import { useNavigate, useParams } from "react-router";
import { type Api, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/purchasing.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Active } from "../../components/status.js";
import { VendorFields, vendorIn } from "./vendor-fields.js";

export default function Vendor() {
  const navigate = useNavigate();
  const { canonical_id = "" } = useParams();
  const path = { canonical_id };
  const maySeeOrders = mayOpen(useMe(), "purchase-orders");
  const remove = async (_: unknown, api: Api) => {
    await api.delete("/api/admin/vendors/{canonical_id}", { path });
    await navigate("/vendors");
  };
  return (
    <Loaded of={useRead("/api/admin/vendors/{canonical_id}", { path })}>
      {(vendor) => (
        <Page
          title={vendor.vendor_name}
          mark={!vendor.is_active && <Active is={false} text={t("inactive")} />}
          actions={
            <>
              <Decision
                label={t("edit")}
                verb={t("save")}
                title={t("editVendor", { name: vendor.vendor_name })}
                act={(values, api) => api.put("/api/admin/vendors/{canonical_id}", { path, body: vendorIn(values) })}
                isWide
              >
                <VendorFields of={vendor} />
              </Decision>
              <Decision
                label={t("delete")}
                title={t("deleteVendor", { name: vendor.vendor_name })}
                act={remove}
                isDangerous
              />
            </>
          }
        >
          <Section title={t("vendor")}>
            <Facts
              of={[
                [t("contact"), vendor.contact_name],
                [t("email"), vendor.email],
                [t("phone"), vendor.phone],
                [t("taxId"), vendor.tax_id],
                [t("paymentTerms"), vendor.payment_terms],
                [t("billingAddress"), vendor.billing_address],
                [t("remitTo"), vendor.remit_to_address],
                [t("created"), time(vendor.created_at)],
                [t("changed"), time(vendor.updated_at)],
              ]}
            />
          </Section>
          {maySeeOrders && (
            <MaybeLink to={`/purchase-orders?q=${encodeURIComponent(vendor.vendor_name)}`}>{t("orders")}</MaybeLink>
          )}
        </Page>
      )}
    </Loaded>
  );
}
