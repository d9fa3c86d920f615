import { useNavigate } from "react-router";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/purchasing.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { activeColumn } from "../../components/status.js";
import { VendorFields, vendorIn } from "./vendor-fields.js";

export default function Vendors() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const { canonical_id } = await api.post("/api/admin/vendors", { body: vendorIn(values) });
    await navigate(`/vendors/${canonical_id}`);
  };
  return (
    <ListPage
      title={t("vendors")}
      none="vendors"
      actions={
        <Decision label={t("newVendor")} verb={t("create")} title={t("newVendor")} act={create} isWide isAction>
          <VendorFields />
        </Decision>
      }
      path="/api/admin/vendors"
      rows="vendors"
      to={({ canonical_id }) => `/vendors/${canonical_id}`}
      filters={[
        { name: "q", label: t("searchVendor") },
        { name: "active", label: t("status"), choices: { true: t("active"), false: t("inactive") } },
      ]}
      columns={[
        { field: "vendor_name", title: t("name"), sorts: true },
        { field: "contact_name", title: t("contact"), sorts: true },
        { field: "email", title: t("email"), sorts: true },
        { field: "phone", title: t("phone") },
        { field: "payment_terms", title: t("paymentTerms"), sorts: true },
        { ...activeColumn(t), sorts: true },
      ]}
    />
  );
}
