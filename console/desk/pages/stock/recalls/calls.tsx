import { Button, Text } from "@mantine/core";
import { useParams } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/lots.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { TableSection } from "../../../components/table.js";
import { Tell } from "./recall-actions.js";
import { whatOf } from "./units.js";

/** As many as one command takes; the others follow once these were told. */
const MOST = 500;

/** Whose customers are to be told of a recall, as it goes to the printer, and to those who telephone. */
export default function Calls() {
  const recall_id = Number(useParams().recall_id);
  const query = { state: "to_tell" as const, sort: "customer_name", per_page: MOST };
  const found = useRead("/api/admin/recalls/{recall_id}/orders", { path: { recall_id }, query });
  return (
    <Loaded of={found}>
      {({ orders, total }) => (
        <Page
          title={t("callsOf", { number: recall_id })}
          back={`/recalls/${recall_id}`}
          actions={
            orders.length > 0 && (
              <>
                <Button onClick={() => window.print()}>{t("print")}</Button>
                <Tell
                  {...{ recall_id, so_ids: orders.map(({ so_id }) => so_id) }}
                  label={t("tellAll")}
                  title={t("tellAllTitle", { count: number(orders.length) })}
                />
              </>
            )
          }
        >
          {total > orders.length && <Text>{t("othersFollow", { count: number(total - orders.length) })}</Text>}
          <TableSection
            title={t("toTell")}
            empty={t("allTold")}
            rows={orders}
            to={({ so_id }) => `/orders/${so_id}`}
            columns={[
              { field: "so_number", title: t("order") },
              { field: "customer_name", title: t("customer") },
              { field: "customer_phone", title: t("phone") },
              { field: "customer_email", title: t("mail") },
              { field: "customer_address", title: t("address") },
              { field: "lot_numbers", title: t("lotsOrSerials"), show: whatOf },
              { field: "to_tell", title: t("units"), as: "number" },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}
