import type { WebhookDelivery } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/webhooks.js";
import { Decision } from "../../../components/decision.js";

/** Whether it has failed before, and its next attempt is due later. */
export const isWaiting = ({
  status,
  attempt_number,
  scheduled_at,
}: Pick<WebhookDelivery, "status" | "attempt_number" | "scheduled_at">) =>
  status === "pending" && attempt_number > 1 && Date.parse(scheduled_at) > Date.now();

interface AttemptNowProps {
  /** Whose page it is. */
  of: "/api/admin/webhooks/{subscription_id}" | "/api/partner/webhooks/{subscription_id}";
  path: { subscription_id: string };
  /** Without it, all that wait. */
  delivery_id?: number;
}

/** Has what failed attempted at once, as when its receiver is back. */
export const AttemptNow = ({ of, path, delivery_id }: AttemptNowProps) => (
  <Decision
    isSmall
    label={t(delivery_id ? "attemptNow" : "attemptAllNow")}
    verb={t("attemptNow")}
    title={t(delivery_id ? "attemptNowTitle" : "attemptAllTitle")}
    act={(_, api) => api.post(`${of}/attempt-now`, { path, body: delivery_id ? { delivery_id } : {} })}
  />
);
