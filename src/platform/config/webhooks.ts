import { z } from "zod";
import { env, flag, wholeNumber } from "./variable-kinds.js";

/** The waits before attempts 2 to 8, in milliseconds: 1 s, 4 s, 15 s, 60 s, 5 min, 30 min, 2 h. */
export const RETRY_DELAYS_MS = [1_000, 4_000, 15_000, 60_000, 300_000, 1_800_000, 7_200_000];

/** Environment variables of webhooks. */
export const webhookVariables = {
  dispatcherEnabled: flag
    .default(true)
    .meta(
      env(
        "DISPATCHER_ENABLED",
        "Whether webhooks, channels and shops are told of anything; false: nothing is sent, and nothing is lost.",
      ),
    ),
  dispatcherHttpTimeoutMs: wholeNumber(1_000, 60_000)
    .default(10_000)
    .meta(
      env(
        "DISPATCHER_HTTP_TIMEOUT_MS",
        "Longest that one attempt may take, from looking up the host to the end of the answer, in ms (1000 to 60000).",
      ),
    ),
  dispatcherHttpConnectTimeoutMs: wholeNumber(100, 60_000)
    .default(5_000)
    .meta(
      env(
        "DISPATCHER_HTTP_CONNECT_TIMEOUT_MS",
        "Longest wait for a connection, TLS included, in ms (100 to 60000); at most DISPATCHER_HTTP_TIMEOUT_MS.",
      ),
    ),
  dispatcherHttpReadTimeoutMs: wholeNumber(100, 60_000)
    .default(8_000)
    .meta(
      env(
        "DISPATCHER_HTTP_READ_TIMEOUT_MS",
        "Longest wait for the next bytes of an answer, in ms (100 to 60000); at most DISPATCHER_HTTP_TIMEOUT_MS.",
      ),
    ),
  dispatcherRetryDelaysMs: z
    .string()
    .default(RETRY_DELAYS_MS.join(","))
    .transform((list) => list.split(",").map(Number))
    .refine(
      (delays) => delays.length === RETRY_DELAYS_MS.length && delays.every((ms) => Number.isInteger(ms) && ms > 0),
      "seven whole numbers of ms, comma-separated",
    )
    .meta(
      env(
        "DISPATCHER_RETRY_DELAYS_MS",
        "Waits before attempts 2 to 8 of a delivery, in ms, each taken 10 % longer or shorter. Partners rely " +
          "on the default; shorten it in tests.",
      ),
    ),
  dispatcherFallbackPollMs: wholeNumber(500, 10_000)
    .default(2_000)
    .meta(
      env(
        "DISPATCHER_FALLBACK_POLL_MS",
        "How often a worker looks for new events when Postgres tells it of none, in ms (500 to 10000).",
      ),
    ),
  dispatcherShutdownDrainS: wholeNumber(1, 300)
    .default(30)
    .meta(
      env(
        "DISPATCHER_SHUTDOWN_DRAIN_S",
        "Longest that a worker which is told to stop waits for the attempts it makes, in seconds (1 to 300).",
      ),
    ),
  dispatcherMaxConcurrentPosts: wholeNumber(1, 100)
    .default(16)
    .meta(
      env("DISPATCHER_MAX_CONCURRENT_POSTS", "Most attempts that one worker makes at once to one host (1 to 100)."),
    ),
  dispatcherMaxPendingHardCap: wholeNumber(1_000, 10_000_000)
    .default(50_000)
    .meta(
      env(
        "DISPATCHER_MAX_PENDING_HARD_CAP",
        "Highest pending_ceiling that a subscription may ask for (1000 to 10000000).",
      ),
    ),
  dispatcherMaxDlqHardCap: wholeNumber(100, 1_000_000)
    .default(5_000)
    .meta(env("DISPATCHER_MAX_DLQ_HARD_CAP", "Highest dlq_ceiling that a subscription may ask for (100 to 1000000).")),
  dispatcherReplayBatchHardCap: wholeNumber(1)
    .default(10_000)
    .meta(
      env(
        "DISPATCHER_REPLAY_BATCH_HARD_CAP",
        "Deliveries that one replay may repeat without acknowledge_large_replay.",
      ),
    ),
  dispatcherReplayBatchGlobalBudget: wholeNumber(1)
    .default(5)
    .meta(
      env(
        "DISPATCHER_REPLAY_BATCH_GLOBAL_BUDGET",
        "Replays of many deliveries within one window, over all subscriptions together.",
      ),
    ),
  dispatcherReplayBatchGlobalWindowS: wholeNumber(1)
    .default(300)
    .meta(env("DISPATCHER_REPLAY_BATCH_GLOBAL_WINDOW_S", "Length of that window, in seconds.")),
  dispatcherInflightReclaimS: wholeNumber(1)
    .default(120)
    .meta(
      env(
        "DISPATCHER_INFLIGHT_RECLAIM_S",
        "Age from which a delivery that its sender left unfinished is taken back, in seconds.",
      ),
    ),
  allowHttpWebhooks: flag
    .default(false)
    .meta(
      env(
        "SERVICE_ALLOW_HTTP_WEBHOOKS",
        "Allow http:// delivery URLs, for development. Refused with NODE_ENV=production.",
      ),
    ),
  allowInternalWebhooks: flag
    .default(false)
    .meta(
      env(
        "SERVICE_ALLOW_INTERNAL_WEBHOOKS",
        "Allow delivery URLs that lead to private and local addresses, for development. Refused with " +
          "NODE_ENV=production.",
      ),
    ),
};
