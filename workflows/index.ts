export { cycleCount } from "./cycle-count.js";
export {
  inboundRetention,
  purge,
  reconcile,
  snapshotCleanup,
  webhookReclaim,
  webhookRetention,
  webhookSecrets,
} from "./maintenance.js";
export { pickWave } from "./pick-wave.js";
export { webhookDelivery } from "./webhook-delivery.js";
export { webhookSubscription } from "./webhook-subscription.js";
