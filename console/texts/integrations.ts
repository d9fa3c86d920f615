import { catalogue } from "./catalogue.js";

/** What the pages of integrations have in common. */
export const t = catalogue({
  delivered: ["It arrived.", "Es ist angekommen."],
  httpStatus: ["HTTP status {status}", "HTTP-Status {status}"],
  ms: ["{time} ms", "{time} ms"],
  notDelivered: ["It did not arrive.", "Es ist nicht angekommen."],
});
