import { z } from "zod";
import { ExternalId, Id, Name, WorkflowsUrl } from "../platform/fields.js";

/** Login and session: docs/interface.md, Signing in. */

export const SessionToken = z.string().meta({ examples: ["eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2lnbmF0dXJl"] });
const Password = z.string().min(1).max(256);
const CurrentPassword = Password.meta({ examples: ["correct horse 1"] });

export const Role = z.enum(["ADMIN", "USER"]);
export const Username = z.string().meta({ examples: ["ann"] });
export const FullName = z.string().meta({ examples: ["Ann Packer"] });
export const FunctionNames = z.array(z.string()).meta({ examples: [["pick", "pack"]] });

export const Account = z
  .strictObject({
    user_id: Id,
    external_id: ExternalId,
    username: Username,
    full_name: FullName,
    role: Role,
    warehouse_id: Id.nullable(),
    warehouse_ids: z.array(Id),
    allowed_functions: FunctionNames,
    is_active: z.boolean(),
    must_change_password: z.boolean().meta({ examples: [false] }),
  })
  .meta({ id: "Account", description: "The user who is signed in." });
export type Account = z.infer<typeof Account>;

export const AccountWithMenus = Account.extend({
  require_packing: z.boolean(),
  pos_activity_enabled: z.boolean().describe("Whether the panel shows what tills sold."),
  company_currency: z
    .string()
    .nullable()
    .describe("Of amounts whose record names no currency; null where nobody set it.")
    .meta({ examples: ["EUR"] }),
  allowed_pages: z.array(z.string()).nullable().describe("Null for an ADMIN, who may open all."),
  workflows_url: WorkflowsUrl,
}).meta({ id: "AccountWithMenus", description: "The user who is signed in, and what the menus of clients show." });

export const Login = z.strictObject({ username: Name(150, "admin"), password: CurrentPassword });

export const PasswordChange = z.strictObject({
  current_password: CurrentPassword,
  new_password: Password.meta({ examples: ["battery staple 2"] }),
});
export type PasswordChange = z.infer<typeof PasswordChange>;
