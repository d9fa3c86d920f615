import { SoftPasskey } from "./authenticator.js";
import type { Caller } from "./caller.js";
import type { Change, Floor } from "./change.js";
import { codeOf, enters, timePasses, withApp } from "./factors.js";
import { program } from "./oauth.js";
import { PASSWORD } from "./people.js";

/** How what people do to their own ways in is asked twice. */

const password = { body: { current_password: PASSWORD }, other: { current_password: "battery staple 2" } };

const ofApp = async ({ by }: Floor): Promise<Change> => ({ by: (await withApp(by)).own, ...password });

async function revoked(by: Caller, path: string): Promise<Change> {
  const { key_id } = await by.ok("POST", "/api/auth/keys", { key_name: "nightly export" });
  return { by, path: `${path}/${key_id}`, body: {}, other: { again: true } };
}

/** What a device answers that makes a passkey for a user. */
async function madePasskey({ own }: { own: Caller }) {
  const { options } = await own.ok("POST", "/api/auth/passkeys/options", password.body);
  return new SoftPasskey().made(options, { origin: own.url, rpId: new URL(own.url).hostname });
}

export const signInChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/auth/totp": async ({ by }) => ({ by: (await enters(by)).own, ...password }),
  "post /api/auth/totp/confirm": async ({ by }) => {
    const user = await enters(by);
    const { secret } = await user.own.ok("POST", "/api/auth/totp", password.body);
    await timePasses(user);
    return { by: user.own, body: { code: codeOf(secret) }, other: { code: "000000" } };
  },
  "post /api/auth/agent-access": async ({ by }) => {
    const { query } = (await program(by.url)).ask();
    return { by, body: { ...query, is_allowed: true }, other: { ...query, is_allowed: false } };
  },
  "post /api/auth/keys": async ({ by }) => ({
    ...{ by, body: { key_name: "nightly export" }, other: { key_name: "hourly export" } },
  }),
  "delete /api/auth/keys/:key_id": async ({ by }) => revoked(by, "/api/auth/keys"),
  "delete /api/admin/keys/:key_id": async ({ by }) => revoked(by, "/api/admin/keys"),
  "post /api/auth/passkeys": async ({ by }) => {
    const user = await enters(by);
    const body = { passkey_name: "phone", passkey: await madePasskey(user) };
    return { by: user.own, body, other: { ...body, passkey_name: "laptop" } };
  },
  "delete /api/auth/passkeys/:passkey_id": async ({ by }) => {
    const user = await enters(by);
    const body = { passkey_name: "phone", passkey: await madePasskey(user) };
    const { passkey } = await user.own.ok("POST", "/api/auth/passkeys", body);
    return { by: user.own, path: `/api/auth/passkeys/${passkey.passkey_id}`, ...password };
  },
  "delete /api/auth/sessions/:session_id": async ({ by }) => {
    const { username, own } = await enters(by);
    await by.ok("POST", "/api/auth/login", { username, password: PASSWORD });
    const { sessions } = await own.ok("GET", "/api/auth/sessions");
    const { session_id } = sessions.find(({ is_current }: { is_current: boolean }) => !is_current);
    return { by: own, path: `/api/auth/sessions/${session_id}`, body: {}, other: { again: true } };
  },
  "post /api/auth/sessions/end-others": async ({ by }) => ({
    ...{ by: (await enters(by)).own, body: {}, other: { again: true } },
  }),
  "delete /api/admin/users/:user_id/sessions": async ({ by }) => {
    const { user_id } = await enters(by);
    return { by, path: `/api/admin/users/${user_id}/sessions`, body: {}, other: { again: true } };
  },
  "delete /api/auth/totp": ofApp,
  "post /api/auth/recovery-codes": ofApp,
  "delete /api/admin/users/:user_id/factors": async ({ by }) => {
    const { user_id } = await withApp(by);
    return { by, path: `/api/admin/users/${user_id}/factors`, body: {}, other: { again: true } };
  },
};
