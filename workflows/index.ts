export { connectorSync } from "./connector-sync.js";
export { cycleCount } from "./cycle-count.js";
export { maintenance } from "./maintenance.js";
export { notificationDelivery } from "./notification-delivery.js";
export { pickWave } from "./pick-wave.js";
export { rma } from "./rma.js";
export { transferOrder } from "./transfer-order.js";
export { webhookDelivery } from "./webhook-delivery.js";
