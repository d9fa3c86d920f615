import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";
import { close, portOf } from "../../api/http/server.js";
import type { Answer } from "./caller.js";
import { cookiesOf } from "./people.js";
import type { TestService } from "./service.js";

export const CLIENT = { client_id: "warehouse", client_secret: "a secret that both sides know" };

/** The variables of a service that uses this provider. */
export const envOf = ({ issuer }: { issuer: string }) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_NAME: "Example ID",
  OIDC_ALLOW_INTERNAL: "true",
});

/** The server, at a free port of this machine. */
export async function listenAnywhere(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** What the provider says of somebody, by what it calls them. */
type People = Map<string, Record<string, unknown>>;

/** An OpenID Connect provider, which signs in whoever is next without asking for a password. */
export async function openIdentityProvider() {
  const people: People = new Map();
  let next = "";
  let answer: ReturnType<Provider["callback"]> = (_req, res) => void res.writeHead(503).end();
  const server = await listenAnywhere(createServer((req, res) => answer(req, res)));
  // Another site than that of the service, for the browser.
  const issuer = `http://localhost:${portOf(server)}`;
  return {
    issuer,
    /** Whoever signs in from now on; a new one where nothing but claims are given. */
    signsIn(claims: Record<string, unknown>, sub: string = randomUUID()): string {
      people.set(sub, claims);
      next = sub;
      return sub;
    },
    /** Lets the service at this address use it. */
    serve(url: string): void {
      const provider = new Provider(issuer, configurationFor(url, people));
      const others = provider.callback();
      answer = (req, res) => {
        if (!req.url?.startsWith("/interaction/")) return others(req, res);
        void provider.interactionFinished(req, res, { login: { accountId: next } });
      };
    },
    /** It answers nothing but errors from now on. */
    fail(): void {
      answer = (_req, res) => void res.writeHead(503).end();
    },
    close: () => close(server),
  };
}
export type IdentityProvider = Awaited<ReturnType<typeof openIdentityProvider>>;

const SCOPE = "openid profile email";

function configurationFor(url: string, people: People) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${url}/api/auth/oidc/callback`],
        post_logout_redirect_uris: [`${url}/console/`, `${url}/scan/`],
        backchannel_logout_uri: `${url}/api/auth/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ["sub"], profile: ["preferred_username", "name", "groups"], email: ["email", "email_verified"] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { logoutSource },
    },
    // The package's own refuses addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people.get(sub) }),
    }),
    // Nobody is asked whether the warehouse may know who they are.
    async loadExistingGrant({ oidc }: { oidc: OfRequest }) {
      const { Grant } = oidc.provider;
      const known = oidc.session.grantIdFor(oidc.client.clientId);
      if (known) return Grant.find(known);
      const grant = new Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
    adapter: InMemory,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
  };
}

/** The page that asks whether somebody means to sign out; the package's own has a font from elsewhere. */
function logoutSource(ctx: { body: string }, form: string): void {
  ctx.body = `<!doctype html><html lang="en"><title>Sign out</title><body>${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></body></html>`;
}

interface OfRequest {
  provider: Provider;
  client: { clientId: string };
  session: { accountId: string; grantIdFor(clientId: string): string | undefined };
}

/** Where the provider keeps things, as its own example does; the package's own store warns that it is one. */
class InMemory {
  static #stored = new Map<string, Record<string, unknown>>();
  constructor(readonly kind: string) {}
  #key = (id: unknown) => `${this.kind} ${id}`;
  async upsert(id: string, payload: Record<string, unknown>) {
    InMemory.#stored.set(this.#key(id), payload);
  }
  find = async (id: string) => InMemory.#stored.get(this.#key(id));
  findByUid = async (uid: string) => this.#first("uid", uid);
  findByUserCode = async (code: string) => this.#first("userCode", code);
  async consume(id: string) {
    Object.assign(InMemory.#stored.get(this.#key(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
  }
  async destroy(id: string) {
    InMemory.#stored.delete(this.#key(id));
  }
  async revokeByGrantId(grantId: string) {
    for (const [key, payload] of InMemory.#stored) if (payload.grantId === grantId) InMemory.#stored.delete(key);
  }
  #first(field: string, value: string) {
    for (const [key, payload] of InMemory.#stored)
      if (key.startsWith(`${this.kind} `) && payload[field] === value) return payload;
    return undefined;
  }
}

/** The cookies of one person's browser, of all sites. */
export class Cookies {
  #ofSites = new Map<string, Map<string, string>>();

  async get(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const known = this.#ofSites.get(origin) ?? new Map<string, string>();
    this.#ofSites.set(origin, known);
    const cookie = [...known].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", ...init, headers: { cookie, ...init.headers } });
    for (const { name, value = "" } of cookiesOf(answer as unknown as Answer))
      if (value) known.set(name, value);
      else known.delete(name);
    return answer;
  }

  /** The addresses of a site in order, until one is elsewhere: that one. */
  async follow(from: string): Promise<string> {
    let at = from;
    while (new URL(at).origin === new URL(from).origin) {
      const answer = await this.get(at);
      const to = answer.headers.get("location");
      if (!to) throw new Error(`${at} answered ${answer.status} ${await answer.text()}`);
      at = new URL(to, at).href;
    }
    return at;
  }

  of = (url: string, name: string) => this.#ofSites.get(new URL(url).origin)?.get(name);
}

/** Signs in as a browser does: until the address at which the provider has sent it back. */
export async function signInThere({ url }: TestService, browser = new Cookies(), page = "/console/") {
  const begun = await browser.get(`${url}/api/auth/oidc/start?${new URLSearchParams({ return_to: page })}`);
  const to = begun.headers.get("location") ?? "";
  return { browser, came: await browser.follow(to) };
}

/** The whole way, to the page that it ends at and the session that was begun, if there is one. */
export async function signInByProvider(service: TestService, browser = new Cookies(), page = "/console/") {
  const { came } = await signInThere(service, browser, page);
  const answer = await browser.get(came);
  const token = browser.of(service.url, "service_auth");
  const bearer = service.anyone.with({ authorization: `Bearer ${token}` });
  return { browser, came, at: answer.headers.get("location"), status: answer.status, token, bearer };
}
