import { createHash, randomBytes } from "node:crypto";
import type { Caller } from "./caller.js";

/** A program that asks to be let in by OAuth, step by step, as wrongly as a test wants. */

export const REDIRECT = "http://127.0.0.1:33418/callback";
export const ACCESS = "/api/auth/agent-access";

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever it is
  body: any;
  headers: Headers;
}

export interface Program {
  client_id: string;
  /** Asks for something, by the form of OAuth. */
  post(path: string, form: Record<string, string>): Promise<Answered>;
  /** The parameters by which a person is asked, and the verifier that belongs to them. */
  ask(fields?: Record<string, string>): { query: Record<string, string>; verifier: string };
  /** What a person is asked, and lets the program do: where the browser goes then. */
  allowed(by: Caller, query: Record<string, string>, decision?: object): Promise<URL>;
  /** Changes a code into tokens. */
  change(code: string, verifier: string, fields?: Record<string, string>): Promise<Answered>;
  refresh(token: string, fields?: Record<string, string>): Promise<Answered>;
  /** All of it, up to the tokens. */
  letIn(by: Caller, fields?: Record<string, string>, decision?: object): Promise<Tokens>;
}
export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  code: string;
  verifier: string;
}

export async function register(url: string, fields: object = {}): Promise<Answered> {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Stock helper", redirect_uris: [REDIRECT], ...fields }),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** A program that has registered. */
export async function program(url: string, fields: object = {}): Promise<Program> {
  const { client_id, redirect_uris } = (await register(url, fields)).body;
  return programOf(url, { client_id, redirect_uri: redirect_uris[0] });
}

/** A program of this id, whoever knows it. */
export function programOf(
  url: string,
  { client_id, redirect_uri }: { client_id: string; redirect_uri: string },
): Program {
  const post = async (path: string, form: Record<string, string>): Promise<Answered> => {
    const response = await fetch(url + path, { method: "POST", body: new URLSearchParams(form) });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const self: Program = {
    client_id,
    post,
    ask(fields = {}) {
      const verifier = randomBytes(32).toString("base64url");
      const code_challenge = createHash("sha256").update(verifier).digest("base64url");
      const query = { client_id, redirect_uri, response_type: "code", code_challenge, code_challenge_method: "S256" };
      return { query: { ...query, state: "a state", ...fields }, verifier };
    },
    async allowed(by, query, decision = {}) {
      return new URL((await by.ok("POST", ACCESS, { ...query, is_allowed: true, ...decision })).redirect_to);
    },
    change: (code, code_verifier, fields = {}) =>
      post("/oauth/token", {
        grant_type: "authorization_code",
        client_id,
        redirect_uri,
        code,
        code_verifier,
        ...fields,
      }),
    refresh: (refresh_token, fields = {}) =>
      post("/oauth/token", { grant_type: "refresh_token", client_id, refresh_token, ...fields }),
    async letIn(by, fields = {}, decision = {}) {
      const { query, verifier } = self.ask(fields);
      const back = await self.allowed(by, query, decision);
      const code = back.searchParams.get("code") as string;
      const { status, body } = await self.change(code, verifier, { redirect_uri: query.redirect_uri as string });
      if (status !== 200) throw new Error(`not let in: ${JSON.stringify(body)}`);
      return { ...body, code, verifier };
    },
  };
  return self;
}
