import { problem } from "../../platform/problem.js";

export const UsernameTaken = problem("username_taken", 400, "Duplicate username: {username} already exists");
export const UnknownWarehouses = problem("unknown_warehouses", 400, "Unknown warehouse_ids: {ids}");
export const GrantsTooMuch = problem("grants_too_much", 403, "Nobody grants or changes more than they have: {what}");
export const UserNotFound = problem("user_not_found", 404, "User not found");
export const CannotDeactivateSelf = problem("cannot_deactivate_self", 400, "You cannot deactivate yourself");
export const CannotDemoteSelf = problem("cannot_demote_self", 400, "You cannot take the role ADMIN from yourself");
export const CannotDeleteSelf = problem("cannot_delete_self", 400, "You cannot delete yourself");
export const OwnRights = problem("own_rights", 403, "Nobody changes their own role, warehouses, functions or pages");
export const LastAdmin = problem("last_admin", 400, "The last active ADMIN must stay one");
