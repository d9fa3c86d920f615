import { t } from "../../../texts/inbound.js";
import { scopeChoices, scopeText } from "../../../texts/scopes.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { resources } from "./resources.js";
import { useSourceSystems } from "./source-systems.js";

const statuses = ["applied", "superseded", "stale_version", "lookup_miss", "rejected"];

/** The newest records that other systems pushed, refused ones too. */
export default function Inbound() {
  const systems = useSourceSystems();
  return (
    <ListPage
      title={t("inbound")}
      none="inbound"
      actions={<LinkButton to="/inbound-try" label={t("inboundTry")} />}
      path="/api/admin/inbound/activity"
      rows="rows"
      query={{ limit: 500 }}
      to={({ resource, inbound_id }) => `/inbound/${resource}/${inbound_id}`}
      filters={[
        { name: "source_system", label: t("sourceSystem"), ...(systems && { choices: systems }) },
        { name: "resource", label: t("resource"), choices: scopeChoices(resources) },
        { name: "status", label: t("status"), choices: { accepted: t("accepted"), ...choicesOf(statuses) } },
        { name: "since", label: t("since"), isMoment: true },
        { name: "until", label: t("until"), isMoment: true },
      ]}
      columns={[
        { field: "external_id", title: t("externalId"), sorts: true },
        { field: "resource", title: t("resource"), sorts: true, show: ({ resource }) => scopeText(resource) },
        { field: "source_system", title: t("sourceSystem"), sorts: true },
        { field: "external_version", title: t("version") },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "received_at", title: t("received"), sorts: true, as: "time" },
      ]}
    />
  );
}
