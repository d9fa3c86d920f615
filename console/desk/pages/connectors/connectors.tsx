import { t } from "../../../texts/connectors.js";
import { scopeList } from "../../../texts/scopes.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";

export default function Connectors() {
  return (
    <Page title={t("connectors")}>
      <DataList
        title={t("connectors")}
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
                .map(({ label }) => label)
                .join(", "),
          },
        ]}
      />
    </Page>
  );
}
