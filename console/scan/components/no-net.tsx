import { Refusal } from "../../../client/src/index.js";
import { time, timeOfDay } from "../../shared/format.js";
import { errorText } from "../../texts/problems.js";
import { t } from "../../texts/scan.js";
import { useNet } from "../kept/net.js";
import { type Told, useKeptScans } from "../kept/scans.js";
import { NOT_SENT } from "../kept/sender.js";
import { Done } from "./parts.js";

const HALF_A_DAY_MS = 12 * 3_600_000;

/** Since when there is no net, and how much is kept until it is back. */
export function NoNet() {
  const { since } = useNet();
  const { scans } = useKeptScans();
  if (since === null) return null;
  const shown = Date.now() - since < HALF_A_DAY_MS ? timeOfDay : time;
  return (
    <p className="notice away" role="status">
      {t("withoutNet", { since: shown(new Date(since).toISOString()), count: scans.length })}
    </p>
  );
}

/** What was kept is sent, and nothing of it was refused. */
export const AllSent = ({ of: { done, refused } }: { of: { done: number; refused: unknown[] } }) =>
  done > 0 && refused.length === 0 && <Done>{t("allKeptSent", { count: done })}</Done>;

/** Why a scan that was kept was refused, or not sent at all. */
export function toldText(told: Told | undefined): string {
  if (!told) return "";
  const { status, code, message, body } = told;
  if (code === NOT_SENT.afterRefused) return t("afterRefused");
  if (code === NOT_SENT.tooOld) return t("keptTooLong");
  return errorText(new Refusal(status, code, message, body));
}
