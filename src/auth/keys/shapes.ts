import { z } from "zod";
import { AnyText, Id, Moment, Name, SearchText, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { grantableFunctions, overrideKeys, pageKeys } from "../rights.js";
import { Username } from "../shapes.js";

/** Personal API keys: docs/keys.md. */

const KeyName = Name(100, "nightly export").describe("What the key is for.");
const Pages = "Pages of the panel, and overrides, that the key opens of those of its user; null for all of them.";
const Functions = "Functions of the floor that the key may use of those of its user; null for all of them.";
const ReadsOnly = z.boolean().meta({ description: "Whether the key only reads.", examples: [true] });

export const PersonalKey = z
  .strictObject({
    key_id: Id.describe("Number of the personal key in this service."),
    username: Username.describe("Whose key it is."),
    key_name: KeyName,
    page_keys: z.array(AnyText("inventory")).nullable().describe(Pages),
    functions: z.array(AnyText("pick")).nullable().describe(Functions),
    is_read_only: ReadsOnly,
    made_at: Time.describe("When it was made."),
    expires_at: Time.describe("Until when it opens anything."),
    last_used_at: Time.nullable().describe("When it was last used, to the minute; null where it never was."),
    agent_name: AnyText("Claude")
      .nullable()
      .describe("The program that its user let in by OAuth, as it names itself; null for a key that was made."),
  })
  .meta({ id: "PersonalKey", description: "A personal API key, without the key itself." });
export type PersonalKey = z.infer<typeof PersonalKey>;

export const NewKey = z
  .strictObject({
    key_name: KeyName,
    page_keys: z
      .array(z.enum([...pageKeys, ...overrideKeys]))
      .nullable()
      .default(null)
      .meta({ description: Pages, examples: [["inventory"]] }),
    functions: z
      .array(z.enum(grantableFunctions))
      .nullable()
      .default(null)
      .meta({ description: Functions, examples: [[]] }),
    is_read_only: ReadsOnly.default(false),
    expires_at: Moment.nullable()
      .default(null)
      .meta({ description: "When it ends; null for as late as is allowed.", examples: ["2027-05-06T12:00:00Z"] }),
  })
  .meta({
    id: "NewPersonalKey",
    description: "A personal API key to make.",
    examples: [{ key_name: "nightly export", page_keys: ["inventory"], functions: [], is_read_only: true }],
  });
export type NewKey = z.infer<typeof NewKey>;

export const MadeKey = PersonalKey.extend({
  key: AnyText("wes_9Zf3…").describe("The key itself; shown here and never again."),
}).meta({ id: "MadePersonalKey", description: "A personal API key that was made, with the key itself." });

export const keyList = list("key_id", "key_id", "username", "key_name", "made_at", "expires_at", "last_used_at");

export const KeyFilters = z.object({
  ...keyList.parameters,
  q: SearchText("ann").optional().describe("Words in names of keys and users, or a user's external id."),
});
export type KeyFilters = z.infer<typeof KeyFilters>;
