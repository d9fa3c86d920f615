import { z } from "zod";
import { AnyText, ExternalId, Time } from "../../platform/fields.js";

/** Sessions that people have: docs/security.md, Sessions. */

const sessionWays = ["password", "badge", "provider"] as const;

export const UserSession = z
  .strictObject({
    session_id: ExternalId.describe("By what this service names the session; it opens nothing."),
    begun_by: z.enum(sessionWays).describe("How it was begun: with a password, a badge, or at the provider."),
    device: AnyText("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
      .nullable()
      .describe("What the program called itself last; null where it said nothing."),
    address: AnyText("192.0.2.7").describe("From where it was begun or refreshed last."),
    begun_at: Time.describe("When it was begun."),
    last_used_at: Time.describe("When it was last used, to the minute."),
    expires_at: Time.describe("Until when it goes on if it is not refreshed."),
    is_current: z
      .boolean()
      .meta({ description: "Whether it is the session that this request came with.", examples: [true] }),
  })
  .meta({ id: "UserSession", description: "A session of a user, on one device." });
export type UserSession = z.infer<typeof UserSession>;

export const UserSessions = z
  .strictObject({
    sessions: z.array(UserSession).describe("Those that are open, that which was used last first."),
  })
  .meta({ id: "UserSessions", description: "Where a user is signed in." });
