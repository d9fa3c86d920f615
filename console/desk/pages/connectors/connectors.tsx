import { configText } from "../../../texts/config-fields.js";
import { t } from "../../../texts/connectors.js";
import { scopeList } from "../../../texts/scopes.js";
import { ListPage } from "../../components/data-list.js";

export default function Connectors() {
  return (
    <ListPage
      title={t("connectors")}
      none="connectors"
      path="/api/admin/connectors"
      rows="connectors"
      isWhole
      to={({ name }) => `/connectors/${name}`}
      columns={[
        { field: "name", title: t("name"), sorts: true },
        { field: "capabilities", title: t("canDo"), show: ({ capabilities }) => scopeList(capabilities) },
        {
          field: "config_schema",
          title: t("needed"),
          show: ({ config_schema }) =>
            Object.values(config_schema)
              .filter(({ required }) => required)
              .map(({ label }) => configText(label))
              .join(", "),
        },
      ]}
    />
  );
}
