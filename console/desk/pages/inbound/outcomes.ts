import type { InboundTried } from "../../../../client/src/index.js";
import { t } from "../../../texts/inbound.js";

const outcomes: Record<InboundTried["outcome"], () => string> = {
  create: () => t("outcome_create"),
  update: () => t("outcome_update"),
  adopt: () => t("outcome_adopt"),
  repeat: () => t("outcome_repeat"),
  stale: () => t("outcome_stale"),
  refused: () => t("outcome_refused"),
};

/** What would become of a push, in words. */
export const outcomeText = (outcome: InboundTried["outcome"]): string => outcomes[outcome]();
