import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Message, Name, WorkflowsUrl } from "../platform/fields.js";

/** Login and session: docs/interface.md, Signing in. */

const SessionToken = z
  .string()
  .meta({ description: "The token itself.", examples: ["eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2lnbmF0dXJl"] });
const Password = z.string().min(1).max(256);
const CurrentPassword = Password.meta({ examples: ["correct horse 1"] });

export const Role = z.enum(["ADMIN", "USER"]).describe("ADMIN may do everything; USER what was granted.");
export const Username = z.string().meta({ examples: ["ann"] });
export const FullName = z.string().meta({ description: "The user's full name.", examples: ["Ann Packer"] });
export const FunctionNames = z
  .array(z.string())
  .meta({ description: "Scanner functions that the user may use.", examples: [["pick", "pack"]] });

export const Account = z
  .strictObject({
    user_id: field.UserId,
    external_id: ExternalId,
    username: Username.describe("Name to log in with."),
    full_name: FullName,
    role: Role,
    warehouse_id: field.WarehouseId.nullable(),
    warehouse_ids: field.WarehouseIds,
    allowed_functions: FunctionNames,
    is_active: field.IsActive,
    must_change_password: z
      .boolean()
      .meta({ description: "Whether the password must be changed before anything else.", examples: [false] }),
  })
  .meta({ id: "Account", description: "The user who is signed in." });
export type Account = z.infer<typeof Account>;

export const SessionBegun = z
  .strictObject({ token: SessionToken, user: Account })
  .meta({ id: "SessionBegun", description: "The session of a user who has signed in." });

export const SessionRenewed = z
  .strictObject({ token: SessionToken })
  .meta({ id: "SessionRenewed", description: "A new token of the same session." });

export const AccountWithMenus = Account.extend({
  require_packing: field.RequirePacking,
  pos_activity_enabled: z.boolean().describe("Whether the panel shows what tills sold."),
  company_currency: z
    .string()
    .nullable()
    .meta({ description: "Of amounts whose record names no currency; null where nobody set it.", examples: ["EUR"] }),
  allowed_pages: z.array(AnyText("receiving")).nullable().describe("Null for an ADMIN, who may open all."),
  workflows_url: WorkflowsUrl,
  must_add_second_factor: z
    .boolean()
    .meta({ description: "Whether a second factor must be set up before anything else.", examples: [false] }),
  must_show_second_factor: z.boolean().meta({
    description: "Whether the second factor must be shown before anything else, by `POST /api/auth/step-up`.",
    examples: [false],
  }),
}).meta({ id: "AccountWithMenus", description: "The user who is signed in, and what the menus of clients show." });

export const Login = z.strictObject({
  username: Name(150, "admin").describe("Name to log in with."),
  password: CurrentPassword.describe("Secret text to log in with; never shown again."),
});

export const LoggedOut = Message.extend({
  end_session_url: z
    .string()
    .optional()
    .meta({
      description: "Where one signs out of the identity provider too, for a session that was begun there.",
      examples: ["https://id.example.com/session/end?client_id=warehouse"],
    }),
}).meta({ id: "LoggedOut", description: "That the session has ended." });

export const PasswordChange = z.strictObject({
  current_password: CurrentPassword.describe("The password that the user has until now."),
  new_password: Password.meta({ description: "The password from now on.", examples: ["battery staple 2"] }),
});
export type PasswordChange = z.infer<typeof PasswordChange>;
