import { once } from "node:events";
import { z } from "zod";
import type { SessionUser } from "../../src/auth/queries.js";
import { QueryInt } from "../../src/platform/fields.js";
import { eventsFor, type LiveEvent } from "../../src/system/live.js";
import { StreamNotAccepted, TooManyStreams } from "../../src/system/problems.js";
import { authenticate } from "../auth/authenticate.js";
import { route, signedIn } from "../http/route.js";
import { beatEvery, takePlace, watch } from "./live-feed.js";

const EXAMPLE = `event: change
id: 17
data: {"event_id":17,"event_type":"ship.confirmed","aggregate_type":"sales_order","aggregate_id":null,"warehouse_id":1}

`;
const MOST_OF_A_USER = 10;
/** A client that reads so slowly that this much is buffered is disconnected; it connects again. */
const MOST_BUFFERED = 256 * 1024;

export const streamEvents = route("get /api/admin/live", {
  for: signedIn,
  summary: "Tells what happens in the caller's warehouses, as server-sent events",
  query: z.object({
    after: QueryInt.optional().describe("The last event that is known; as the header `Last-Event-ID`, which wins."),
  }),
  mediaType: "text/event-stream",
  answers: { 200: z.string().meta({ examples: [EXAMPLE] }) },
  errors: [StreamNotAccepted, TooManyStreams],
  run: async ({ query, by, req, res, options }) => {
    if (!req.headers.accept?.includes("text/event-stream")) throw StreamNotAccepted();
    // Taken before the first await: streams that begin at the same time count, too.
    const leave = takePlace(by.userId, MOST_OF_A_USER);
    if (!leave) throw TooManyStreams().after(30);
    let user = res.locals.session as SessionUser;
    res.locals.isStream = true;
    res.writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
    // A caller who left meanwhile has closed it already.
    const closed = (req.socket.destroyed ? Promise.resolve() : once(res, "close")).finally(leave);
    const end = () => void res.end();
    const send = (text: string) => (res.writableLength > MOST_BUFFERED ? res.destroy() : res.write(text));
    const message = (name: string, id: number, data: unknown) =>
      `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    const tell = (events: LiveEvent[]) => {
      const told = eventsFor(user, events);
      if (told.length > 0) send(told.map((event) => message("change", event.event_id, event)).join(""));
    };
    const begin = (newest: number) => send(message("ready", newest, {}));
    const startAnew = (newest: number) => send(message("reset", newest, {}));
    send(": connected\n\n");
    const known = Number(req.get("last-event-id")) || query.after;
    const current = async () => {
      user = await authenticate(req, res, options);
    };
    const stop = await watch({ current, begin, tell, startAnew, end }, known);
    // A client that signed out is noticed at the next beat, also without any event.
    const beat = setInterval(async () => {
      try {
        await current();
        send(": beat\n\n");
      } catch {
        end();
      }
    }, beatEvery());
    await closed;
    clearInterval(beat);
    stop();
    return "";
  },
});
