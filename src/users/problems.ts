import { problem } from "../problem.js";

export const UsernameTaken = problem(
  "username_taken",
  400,
  "Username {username} already exists",
);
export const UnknownWarehouses = problem(
  "unknown_warehouses",
  400,
  "Unknown warehouse_ids: {ids}",
);
export const GrantsTooMuch = problem(
  "grants_too_much",
  403,
  "Nobody grants more than they have: {what}",
);
