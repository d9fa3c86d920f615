import * as picking from "../activities/picking/index.js";

/** What workflows may call: the names are the functions'. */
export const activities = { ...picking };
