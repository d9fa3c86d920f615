import { problem } from "../platform/problem.js";

export const LotNotFound = problem("lot_not_found", 404, "Lot not found");
export const LotNotHeld = problem("lot_not_held", 409, "Lot {lot_number} is AVAILABLE: there is nothing to release");
