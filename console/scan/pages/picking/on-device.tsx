import { Refusal } from "../../../../client/src/index.js";
import { time } from "../../../shared/format.js";
import { errorText } from "../../../texts/problems.js";
import { t } from "../../../texts/scan-picking.js";
import { Done, Refused, Screen, Sending } from "../../components/parts.js";
import type { Report } from "./kept-walk.js";
import type { Steps } from "./progress.js";
import type { OnDevice } from "./without-net.js";

/** Since when there is no net, and how much is kept until it is back. */
export const NoNet = ({ since, count }: { since: number; count: number }) => (
  <p className="notice" role="status">
    {t("withoutNet", { since: time(new Date(since).toISOString()), count })}
  </p>
);

/** What was kept is sent, and nothing of it was refused. */
export const AllSent = ({ of }: { of: Report | null }) =>
  of && of.refused.length === 0 && <Done>{t("allKeptSent", { count: of.done })}</Done>;

/** What of it was refused and why, and where the units belong that are in hand. */
export function PutBack({ report: { done, refused }, forget }: { report: Report; forget: () => void }) {
  const next = (
    <button type="button" className="primary" onClick={forget}>
      {t("putBackDone")}
    </button>
  );
  return (
    <Screen title={t("putBack")} next={next}>
      <p role="status">{t("putBackHint", { done })}</p>
      <ul className="unsent">
        {refused.map(({ sku, bin_code, units, status, code, message, body }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change
          <li key={at} className="notice wrong">
            <strong>{t(units > 0 ? "backTo" : "noneOfIt", { units, sku, bin: bin_code })}</strong>{" "}
            {errorText(new Refusal(status, code, message, body))}
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
