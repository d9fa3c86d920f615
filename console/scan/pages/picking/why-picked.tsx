import type { PickAlternative } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { reasonText, t } from "../../../texts/scan-why.js";
import { Refused, Why } from "../../components/parts.js";

/** So many of what lost are named. */
const MOST = 5;

/** Why these units are picked, and not others. */
export const WhyPicked = ({ task }: { task: number }) => (
  <Why label={t("whyHere")}>
    <Reasons task={task} />
  </Why>
);

const decided = {
  first_expired: "first_expired",
  oldest: "oldest",
  only_place: "only_place",
  pick_sequence: "pick_sequence",
  replaces_short: "replaces_short",
  transfer_reserved: "transfer_reserved",
  was_first: "was_first",
} as const;

function Reasons({ task }: { task: number }) {
  const path = { pick_task_id: task };
  const { data, error } = useRead("/api/picking/tasks/{pick_task_id}/why", { path });
  if (!data) return error ? <Refused error={error} /> : <p>{t("loading")}</p>;
  const { code, others } = data;
  return (
    <>
      <p>{t(decided[code])}</p>
      {others.length > 0 && <p className="dim">{t("elsewhere")}</p>}
      <ul>
        {others.slice(0, MOST).map((other) => (
          <li key={other.inventory_id}>{lostText(other)}</li>
        ))}
        {others.length > MOST && <li>{t("lostMore", { count: others.length - MOST })}</li>}
      </ul>
    </>
  );
}

const lostText = ({ bin_code, lot_number, quantity_on_hand, reason }: PickAlternative) =>
  t("lost", {
    place: lot_number ? `${bin_code} · ${lot_number}` : bin_code,
    units: quantity_on_hand,
    reason: reasonText(reason),
  });
