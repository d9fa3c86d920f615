import type { FloorWork } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { day } from "../../shared/format.js";
import { t } from "../../texts/scan.js";
import { Choice } from "./parts.js";
import { useWarehouse } from "./warehouse.js";

interface WaitingOrdersProps {
  /** What is to be done with them next. */
  to: Exclude<keyof FloorWork, "warehouse_id">;
  /** Numbers of those that are chosen already. */
  except?: string[];
  choose: (number: string) => void;
}

/** Orders that can be chosen without a barcode; who has more than are named scans them. */
export function WaitingOrders({ to, except = [], choose }: WaitingOrdersProps) {
  const { warehouse } = useWarehouse();
  const { data } = useRead("/api/work", { query: { warehouse_id: warehouse.id } });
  const orders = (data?.[to].next ?? []).filter(({ number }) => !except.includes(number));
  if (orders.length === 0) return null;
  return (
    <section>
      <h2>{t("waitingOrders")}</h2>
      <ul className="choices">
        {orders.map(({ id, number, name, due }) => (
          <Choice key={id} title={number} text={name ?? ""} note={due && day(due)} choose={() => choose(number)} />
        ))}
      </ul>
    </section>
  );
}
