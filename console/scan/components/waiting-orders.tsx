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
  if (!data) return null;
  const { next } = data[to];
  const ready = (to === "pick" && data.pick.ready) || next;
  const orders = ready.filter(({ number }) => !except.includes(number));
  const lacking = next.filter(({ id }) => !ready.some((one) => one.id === id));
  return (
    <>
      {orders.length > 0 && (
        <section>
          <h2>{heading(to)}</h2>
          <ul className="choices">
            {orders.map(({ id, number, name, due }) => (
              <Choice key={id} title={number} text={name ?? ""} note={due && day(due)} choose={() => choose(number)} />
            ))}
          </ul>
        </section>
      )}
      {lacking.length > 0 && (
        <details className="why">
          <summary>{t("waitForStock", { count: lacking.length })}</summary>
          <ul className="lines">
            {lacking.map(({ id, number, name, due }) => (
              <li key={id}>
                <span>
                  <strong>{number}</strong> {name}
                </span>
                <span className="dim">{due && day(due)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const heading = (to: WaitingOrdersProps["to"]) =>
  t(to === "receive" ? "waitingDeliveries" : to === "transfer" ? "waitingTransfers" : "waitingOrders");
