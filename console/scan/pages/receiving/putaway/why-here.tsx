import type { WhyBin } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/scan-putaway.js";
import { Why } from "../../../components/parts.js";

/** So many of what lost are named. */
const MOST = 5;

const reasons = {
  default_bin: "default_bin",
  no_bin: "no_bin",
  no_rule: "no_rule",
  preferred_bin: "preferred_bin",
  rule: "rule",
} as const;

/** Why a bin is suggested, or none, and what came before it and was not taken. */
export const WhyHere = ({ of: { code, rule_name, lost } }: { of: WhyBin }) => (
  <Why label={code === "no_bin" || code === "no_rule" ? t("whyNowhere") : t("whyHere")}>
    <p>{t(reasons[code], { rule: rule_name ?? "" })}</p>
    {lost.length > 0 && (
      <>
        <p className="dim">{t("notTaken")}</p>
        <ul>
          {lost.slice(0, MOST).map((one) => (
            <li key={`${one.bin_id}/${one.rule_id}/${one.zone_code}`}>{lostText(one)}</li>
          ))}
          {lost.length > MOST && <li>{t("lostMore", { count: lost.length - MOST })}</li>}
        </ul>
      </>
    )}
  </Why>
);

function lostText({ bin_code, rule_name, zone_code, lacks }: WhyBin["lost"][number]) {
  const bin = bin_code ?? "";
  if (lacks === "weight") return t("lostWeight", { bin });
  if (lacks === "volume") return t("lostVolume", { bin });
  return lacks === "units"
    ? t("lostBin", { bin })
    : t("lostRule", { rule: [rule_name, zone_code].filter(Boolean).join(" · ") });
}
