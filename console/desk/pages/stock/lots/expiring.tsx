import { t } from "../../../../texts/lots.js";
import { statusText } from "../../../../texts/statuses.js";
import { Page } from "../../../components/page.js";
import { StockList } from "../stock-list.js";
import { lastDays } from "./last-days.js";

/** What lies there and expires soon, or has expired, the earliest first. */
export default function Expiring() {
  const { 30: within30, ...sooner } = lastDays();
  return (
    <Page title={t("expiring")}>
      <StockList
        title={t("expiring")}
        of={{ expires_within: 30, sort: "expiry_date" }}
        filters={[
          { name: "q", label: t("searchStock") },
          { name: "expires_within", label: t("lastDay"), choices: sooner, unset: within30 },
          { name: "condition", label: t("condition"), choices: { EXPIRED: statusText("EXPIRED") } },
        ]}
      />
    </Page>
  );
}
