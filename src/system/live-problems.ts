import { problem } from "../platform/problem.js";

export const StreamNotAccepted = problem(
  "stream_not_accepted",
  406,
  "This is a stream: ask for it with Accept: text/event-stream",
);
export const TooManyStreams = problem("too_many_streams", 429, "Too many open streams of this user");
