import { z } from "zod";
import { env, wholeNumber } from "./variable-kinds.js";

/** Environment variables of notifications: when people are told of a webhook, and the links in messages. */
export const notificationVariables = {
  dispatcherHealthStalledS: wholeNumber(60, 604_800)
    .default(900)
    .meta(
      env(
        "DISPATCHER_HEALTH_STALLED_S",
        "For how long one event must have failed until dispatcher.delivery_stalled is told, in seconds (60 to 604800).",
      ),
    ),
  dispatcherHealthDlqGrowth: wholeNumber(1, 10_000)
    .default(10)
    .meta(
      env(
        "DISPATCHER_HEALTH_DLQ_GROWTH",
        "So many dead letters of one webhook within an hour are told as dispatcher.dlq_growth (1 to 10000).",
      ),
    ),
  dispatcherHealthLagEvents: wholeNumber(20_000, 100_000_000)
    .default(25_000)
    .meta(
      env(
        "DISPATCHER_HEALTH_LAG_EVENTS",
        "A webhook that is so many events behind is told as dispatcher.subscription_lagging (20000 to 100000000).",
      ),
    ),
  panelUrl: z
    .url({ protocol: /^https?$/, error: "a URL such as https://panel.example.com" })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .meta(env("SERVICE_PANEL_URL", "Address of the admin panel; notifications link to its pages where it is set.")),
};
