import { mayOpen, useMe } from "../../../shared/session.js";
import { choicesOf } from "../../../texts/statuses.js";
import { t } from "../../../texts/stock.js";
import { Page } from "../../components/page.js";
import { Adjust } from "./adjust.js";
import { stockConditions } from "./conditions.js";
import { StockList } from "./stock-list.js";

export default function Stock() {
  return (
    <Page title={t("stock")} actions={mayOpen(useMe(), "adjustments") && <Adjust />}>
      <StockList
        filters={[
          { name: "q", label: t("searchStock") },
          { name: "condition", label: t("condition"), choices: choicesOf(stockConditions) },
          { name: "to_put_away", label: t("toPutAway"), choices: { true: t("onlyToPutAway") } },
        ]}
      />
    </Page>
  );
}
