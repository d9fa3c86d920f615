import { z } from "zod";
import { AnyText, Text, Time } from "../../platform/fields.js";
import { LabelPrint } from "../../platform/labels/shapes.js";
import { PasswordChange } from "../shapes.js";

/** Badges: docs/security.md, Badges. */

export const Badge = z
  .strictObject({
    made_by: AnyText("ann").describe("Who made it."),
    made_at: Time.describe("When it was made."),
    last_used_at: Time.nullable().describe("When somebody last signed in with it; null where nobody has."),
    has_pin: z.boolean().describe("Whether the user has set a PIN, without which the badge opens nothing."),
  })
  .meta({ id: "Badge", description: "The badge of a user; never its code." });
export type Badge = z.infer<typeof Badge>;

export const BadgeOfUser = z
  .strictObject({ badge: Badge.nullable().describe("The badge; null where the user has none.") })
  .meta({ id: "BadgeOfUser", description: "Whether a user has a badge, and which." });

const Code = AnyText("4028117604559312764015983320914756220816").describe("What is on the badge; never shown again.");

/** How the label of a badge is drawn. */
export const BadgeLabel = z.strictObject({
  format: LabelPrint.shape.format,
  size: LabelPrint.shape.size,
  dpi: z
    .literal([203, 300])
    .default(203)
    .meta({ description: "Dots per inch of the label printer; of no effect on a PDF.", examples: [203] }),
});

export const NewlyMadeBadge = Badge.extend({
  code: Code,
  label: z.string().meta({ description: "The label, a file in base64.", examples: ["JVBERi0xLjcK"] }),
  label_name: AnyText("badge-ann.pdf").describe("What the file of the label may be called."),
}).meta({ id: "NewlyMadeBadge", description: "A badge that was made; its code is shown only now." });

/** Whatever is no PIN of somebody is refused as a wrong one, so that nothing is told of which there are. */
const Anything = Text(256, "4028117604559312764015983320914756220816");
export const BadgeLogin = z.strictObject({
  badge: Anything.describe("What the scanner read from the badge."),
  pin: Text(64, "271828").describe("The PIN of the badge's user."),
});
export type BadgeLogin = z.infer<typeof BadgeLogin>;

export const PinChange = z.strictObject({
  current_password: PasswordChange.shape.current_password,
  pin: z
    .string()
    .regex(/^\d{4,8}$/, "Expected 4 to 8 digits")
    .meta({ description: "The PIN from now on: 4 to 8 digits.", examples: ["271828"] }),
});
export type PinChange = z.infer<typeof PinChange>;

export const SignInWays = z
  .strictObject({
    badge: z.boolean().describe("Whether one signs in with a badge and a PIN, too."),
    idle_minutes: z
      .number()
      .nullable()
      .meta({ description: "After how long without a touch or scan scanners sign out; null: never.", examples: [10] }),
    sso: z
      .strictObject({
        name: AnyText("Example ID").describe("What people know the identity provider by."),
        required: z.boolean().describe("Whether all but break-glass users sign in there."),
      })
      .nullable()
      .describe("The company's identity provider, at `/api/auth/oidc/start`; null where there is none."),
  })
  .meta({ id: "SignInWays", description: "How one signs in at this installation." });
