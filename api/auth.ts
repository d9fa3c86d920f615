import { parseCookie } from "cookie";
import { z } from "zod";
import { changePassword, logIn } from "../activities/auth.js";
import { functionsOf } from "../src/auth/functions.js";
import {
  AccountGone,
  CsrfInvalid,
  InvalidCredentials,
  Locked,
  LockedNow,
  Unauthorized,
  WeakPassword,
  WrongCurrentPassword,
} from "../src/auth/problems.js";
import { account, type SessionUser } from "../src/auth/queries.js";
import { issueToken, readToken } from "../src/auth/tokens.js";
import { db } from "../src/db.js";
import { requiresPacking } from "../src/settings/queries.js";
import { AUTH_COOKIE, csrfMatches } from "./authenticate.js";
import { clearSession, setSession } from "./cookies.js";
import { Id, Message, Name } from "./fields.js";
import { open, route, signedIn } from "./route.js";

/** Login and session: spec 4.3 and 5, reference 01 §3 to §5. */

const Token = z
  .string()
  .meta({ examples: ["eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2lnbmF0dXJl"] });
const Password = z.string().min(1).max(256);

const User = z.strictObject({
  user_id: Id,
  username: z.string().meta({ examples: ["ann"] }),
  full_name: z.string().meta({ examples: ["Ann Packer"] }),
  role: z.enum(["ADMIN", "USER"]),
  warehouse_id: Id.nullable(),
  warehouse_ids: z.array(Id),
  allowed_functions: z.array(z.string()).meta({ examples: [["pick", "pack"]] }),
  is_active: z.boolean(),
  must_change_password: z.boolean().meta({ examples: [false] }),
});

export const login = route("post /api/auth/login", {
  for: open,
  summary: "Signs a user in: a bearer token, and the same session as cookies",
  body: z.strictObject({
    username: Name(150, "admin"),
    password: Password.meta({ examples: ["correct horse 1"] }),
  }),
  answers: { 200: z.strictObject({ token: Token, user: User }) },
  errors: [InvalidCredentials, Locked, LockedNow],
  run: async ({ body, req, res, options }) => {
    const { password_changed_at, ...user } = await logIn(
      body.username,
      body.password,
      req.ip ?? "",
    );
    const token = issueToken(
      { ...user, password_changed_at },
      options.jwtSecret,
    );
    setSession(req, res, token);
    return {
      token,
      user: {
        ...user,
        allowed_functions: functionsOf(user, await requiresPacking(db)),
      },
    };
  },
});

export const me = route("get /api/auth/me", {
  for: signedIn,
  summary: "The signed-in user, with what the clients' menus show",
  answers: {
    200: User.extend({
      require_packing: z.boolean(),
      allowed_pages: z
        .array(z.string())
        .nullable()
        .describe("Null for an ADMIN, who may open all."),
    }),
  },
  run: async ({ by, res }) => {
    const [user, require_packing] = await Promise.all([
      account(by.userId),
      requiresPacking(db),
    ]);
    if (!user) throw Unauthorized();
    const { page_keys } = res.locals.session as SessionUser;
    return {
      ...user,
      allowed_functions: functionsOf(user, require_packing),
      require_packing,
      allowed_pages: user.role === "ADMIN" ? null : page_keys,
    };
  },
});

export const refresh = route("post /api/auth/refresh", {
  for: signedIn,
  summary:
    "A fresh token and fresh cookies; the old token lives on until it expires",
  changesNothing: true,
  answers: { 200: z.strictObject({ token: Token }) },
  errors: [AccountGone],
  run: ({ req, res, options }) => {
    const token = issueToken(
      res.locals.session as SessionUser,
      options.jwtSecret,
    );
    setSession(req, res, token);
    return { token };
  },
});

export const logout = route("post /api/auth/logout", {
  for: open,
  summary: "Ends a cookie session; a sound one needs its CSRF header",
  answers: { 200: Message },
  errors: [CsrfInvalid],
  run: ({ req, res, options }) => {
    const cookies = parseCookie(req.headers.cookie ?? "");
    const token = cookies[AUTH_COOKIE];
    if (token) {
      if (readToken(token, options.jwtSecret) && !csrfMatches(req, cookies))
        throw CsrfInvalid();
      clearSession(req, res);
    }
    return { message: "logged out" };
  },
});

export const changeOwnPassword = route("post /api/auth/change-password", {
  for: signedIn,
  summary:
    "Changes the caller's password; all tokens issued before are refused from then on",
  body: z.strictObject({
    current_password: Password.meta({ examples: ["correct horse 1"] }),
    new_password: Password.meta({ examples: ["battery staple 2"] }),
  }),
  answers: { 200: Message },
  errors: [WeakPassword, WrongCurrentPassword],
  run: ({ body, by }) => changePassword(body, by),
});
