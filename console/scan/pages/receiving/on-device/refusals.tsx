import { useNavigate } from "react-router";
import { useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/receiving.js";
import { toldText } from "../../../components/no-net.js";
import { forget, type Outcome, tellDone } from "../../../kept/scans.js";
import { NOT_SENT } from "../../../kept/sender.js";
import { useProgress } from "../../../task.js";
import type { PutAway, Receipt } from "./done.js";
import { TASKS } from "./on-device.js";

interface RefusalsProps {
  of: { done: number; refused: Outcome[] };
}

/** What of a time without the net was refused and why, what somebody has in hands then, and what can be done. */
export function Refusals({ of: { done, refused } }: RefusalsProps) {
  const { external_id } = useMe();
  const forgetAll = () => {
    tellDone(external_id, TASKS);
    for (const one of refused) forget(external_id, one);
  };
  if (refused.length === 0) return null;
  return (
    <section>
      <h2>{t("refusedTitle")}</h2>
      <p role="status">{t("refusedHint", { done })}</p>
      <ul className="unsent">
        {refused.map((one) => (
          <li key={one.key} className="notice wrong">
            {one.does === "receive" ? (
              <NotReceived of={one as Outcome<Receipt>} />
            ) : (
              <NotPutAway of={one as Outcome<PutAway>} />
            )}
          </li>
        ))}
      </ul>
      <button type="button" className="second" onClick={forgetAll}>
        {t("seenTo")}
      </button>
    </section>
  );
}

function NotReceived({ of }: { of: Outcome<Receipt> }) {
  const { external_id } = useMe();
  const go = useNavigate();
  // As far as the page Receive is: there the same is done anew, and sent as another thing.
  const [, set] = useProgress<object>("receive", {});
  const { done, refusal } = of;
  const { quantity, sku, bin } = done.said;
  const [item] = done.body.items;
  const again = () => {
    if (!item) return;
    const { item_id, scanned_barcode: scanned, serial_numbers: serials, bin_id: _, quantity: __, ...said } = item;
    const read = { ...done.label, ...(scanned && { scanned }), ...(serials && { serials }) };
    set({ po: done.po, item_id, quantity, said, ...read });
    forget(external_id, of);
    void go("/receive");
  };
  return (
    <>
      <strong>{t("notReceived", { quantity, sku, po: done.po, bin })}</strong>
      <p>{toldText(refusal)}</p>
      <p>{t("receivedByHand", { quantity, sku })}</p>
      <button type="button" className="second" onClick={again}>
        {t("receiveAgain")}
      </button>
    </>
  );
}

function NotPutAway({ of }: { of: Outcome<PutAway> }) {
  const { external_id } = useMe();
  const go = useNavigate();
  const { done, refusal } = of;
  const { quantity, said } = done;
  const isReceived = refusal?.code !== NOT_SENT.afterRefused;
  const again = () => {
    forget(external_id, of);
    void go("/putaway");
  };
  return (
    <>
      <strong>{t("notPutAway", { quantity, ...said })}</strong>
      <p>{toldText(refusal)}</p>
      <p>{t(isReceived ? "putByHand" : "putByHandUnreceived", { quantity, ...said })}</p>
      {isReceived && (
        <button type="button" className="second" onClick={again}>
          {t("putAgain")}
        </button>
      )}
    </>
  );
}
