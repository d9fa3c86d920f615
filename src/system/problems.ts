import { problem } from "../platform/problem.js";

export const StreamNotAccepted = problem(
  "stream_not_accepted",
  406,
  "This is a stream: ask for it with Accept: text/event-stream",
);
export const TooManyStreams = problem("too_many_streams", 429, "Too many open streams of this user");

export const SettingNotFound = problem("setting_not_found", 404, "Setting not found");
export const PackedOrdersExist = problem(
  "packed_orders_exist",
  400,
  "Packing cannot be switched off while {orders} order(s) are PACKED: ship or revert them first",
);
export const BadSetting = problem("bad_setting", 400, "{key} must be {expected}");
