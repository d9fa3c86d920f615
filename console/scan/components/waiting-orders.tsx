import { useRead } from "../../shared/api.js";
import { mayOpen, useMe } from "../../shared/session.js";
import { t } from "../../texts/scan.js";
import { useWarehouse } from "../warehouse.js";
import { Choice } from "./parts.js";

/** The oldest ones; who has more than these scans them. */
const MOST = 20;

interface WaitingOrdersProps {
  /** What they wait in for the next step. */
  status: "OPEN" | "PICKED" | "PACKED";
  /** Numbers of those that are chosen already. */
  except?: string[];
  choose: (so_number: string) => void;
}

/** Orders that can be chosen without a barcode, for whoever may see orders. */
export const WaitingOrders = (props: WaitingOrdersProps) =>
  mayOpen(useMe(), "sales-orders") ? <List {...props} /> : null;

function List({ status, except = [], choose }: WaitingOrdersProps) {
  const { warehouse } = useWarehouse();
  const query = { status, warehouse_id: warehouse.id, sort: "created_at", per_page: MOST } as const;
  const { data } = useRead("/api/admin/sales-orders", { query });
  const orders = (data?.sales_orders ?? []).filter(
    ({ so_number, order_type }) => order_type !== "return" && !except.includes(so_number),
  );
  if (orders.length === 0) return null;
  return (
    <section>
      <h2>{t("waitingOrders")}</h2>
      <ul className="choices">
        {orders.map(({ so_id, so_number, customer_name }) => (
          <Choice key={so_id} title={so_number} text={customer_name ?? ""} choose={() => choose(so_number)} />
        ))}
      </ul>
    </section>
  );
}
