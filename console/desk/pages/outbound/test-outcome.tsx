import { errorKindText, faultText } from "../../../texts/faults.js";
import { t } from "../../../texts/integrations.js";
import { Notice } from "../../components/states.js";

interface Outcome {
  delivered: boolean;
  status_code: number | null;
  error_kind: string | null;
  error_detail: string | null;
  response_time_ms?: number | null;
}

/** What came of a test that was sent to a partner. */
export function TestOutcome({ of }: { of: Outcome | undefined }) {
  if (!of) return null;
  const said = [
    of.status_code && t("httpStatus", { status: of.status_code }),
    of.response_time_ms && t("ms", { time: of.response_time_ms }),
    errorKindText(of.error_kind),
    faultText(of.error_detail),
  ];
  return (
    <Notice color={of.delivered ? "green" : "red"} title={t(of.delivered ? "delivered" : "notDelivered")}>
      {said.filter(Boolean).join(" · ")}
    </Notice>
  );
}
