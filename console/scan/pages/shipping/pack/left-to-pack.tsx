import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/scan-pack.js";
import type { OrderInParcels } from "./progress.js";

/** What is in no parcel yet. */
export const LeftToPack = ({ units }: { units: OrderInParcels["unpacked"] }) => (
  <section>
    <h2>{t("left")}</h2>
    <ul className="lines">
      {units.map(({ so_line_id, sku, item_name, quantity }) => (
        <li key={so_line_id}>
          <span>
            <strong>{sku}</strong> {item_name}
          </span>
          <span className="amount">{number(quantity)}</span>
        </li>
      ))}
    </ul>
  </section>
);
