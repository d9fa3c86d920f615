import { z } from "zod";
import { AnyText, Time } from "../platform/fields.js";

/** Which device has a wave: docs/offline.md. */
export const HeldLease = z
  .strictObject({
    device: AnyText("K7Q2MX").describe("What the device calls itself."),
    username: AnyText("ann").describe("Who picks with it."),
    taken_at: Time.describe("Since when it has the wave."),
    heard_at: Time.describe("When it was heard last."),
    expires_at: Time.describe("Until when no other device takes the wave without saying so; later once it is heard."),
  })
  .meta({ id: "HeldPickLease", description: "Which device has a wave." });

/** SQL: whether the lease `l` of the batch `p` holds, so that another device has to take it over. */
export const IS_HELD =
  "l.ended_at is null and l.expires_at > now() and coalesce(l.user_id = p.assigned_user_id, false)";

/** SQL: the lease that a device has of the batch `p`, or null. */
export const HELD_LEASE = `
  (select json_build_object('device', device, 'username', username, 'taken_at', taken_at, 'heard_at', heard_at,
                            'expires_at', expires_at)
   from pick_leases l where l.batch_id = p.batch_id and p.status in ('OPEN', 'IN_PROGRESS') and ${IS_HELD}) as lease`;
