import { t } from "../../../texts/scan-picking.js";
import { toldText } from "../../components/no-net.js";
import { Refused, Screen, Sending } from "../../components/parts.js";
import type { Steps } from "./progress.js";
import type { OnDevice } from "./without-net.js";

/** What of it was refused and why, and where the units belong that are in hand. */
export function PutBack({ report: { done, refused }, forget }: { report: OnDevice["report"]; forget: () => void }) {
  const next = (
    <button type="button" className="primary" onClick={forget}>
      {t("putBackDone")}
    </button>
  );
  return (
    <Screen title={t("putBack")} next={next}>
      <p role="status">{t("putBackHint", { done })}</p>
      <ul className="unsent">
        {refused.map(({ key, done: { sku, bin_code, units }, refusal }) => (
          <li key={key} className="notice wrong">
            <strong>{t(units > 0 ? "backTo" : "noneOfIt", { units, sku, bin: bin_code })}</strong> {toldText(refusal)}
          </li>
        ))}
      </ul>
    </Screen>
  );
}

interface HeldProps {
  batch_id: number;
  device: OnDevice;
  /** Whether a scan was refused for it. */
  steps: Pick<Steps, "confirm" | "short">;
  back: (() => void) | undefined;
}

/** The wave is on another device, or somebody else's. */
export function Held({ batch_id, device: { heldBy, lease }, steps: { confirm, short }, back }: HeldProps) {
  const take = () => {
    confirm.reset();
    short.reset();
    lease.mutate({ batch_id, take_over: true });
  };
  const next = (
    <button type="button" className="second" onClick={take} disabled={lease.isPending}>
      {t("takeHere")}
    </button>
  );
  return (
    <Screen title={t("pick")} next={next} back={back}>
      {lease.isPending && <Sending />}
      <Refused error={confirm.error} scanned={confirm.input?.scanned_barcode} />
      <Refused error={short.error} />
      <Refused error={heldBy} />
      <p>{t("takeHereHint")}</p>
    </Screen>
  );
}
