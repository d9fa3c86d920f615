import jwt from "jsonwebtoken";
import { isByPersonOnly } from "../../../api/auth/authenticate.js";
import { functionNeeded, takesToken } from "../../../api/http/route.js";
import { MCP_PATH } from "../../../src/auth/oauth/audience.js";
import { OnlyForAgents } from "../../../src/auth/oauth/problems.js";
import {
  AccountGone,
  CsrfInvalid,
  FunctionNotAllowed,
  KeyReadsOnly,
  NotWithKey,
  PasswordChangeRequired,
  PermissionDenied,
  TokenExpired,
  TokenInvalidated,
  Unauthorized,
} from "../../../src/auth/problems.js";
import { overrideKeys, pageKeys } from "../../../src/auth/rights.js";
import {
  DispatchEndpointNotAllowed,
  PosCrossDirection,
  WrongTokenDirection,
} from "../../../src/auth/tokens/dispatch-problems.js";
import {
  CrossDirection,
  EndpointNotAllowed,
  InboundWrongDirection,
  InvalidToken,
  OutboundCrossDirection,
  OutboundWrongDirection,
  ResourceNotAllowed,
} from "../../../src/auth/tokens/problems.js";
import { allowsEndpoint, dispatchSlugs, endpointSlugs, inboundResources } from "../../../src/auth/tokens/scope.js";
import { eventTypes } from "../../../src/platform/events/catalog.js";
import { Forbidden, type Problem } from "../../../src/platform/problem.js";
import type { Caller } from "../caller.js";
import { db } from "../db.js";
import { keyCaller } from "../keys.js";
import { partnerCaller } from "../partners.js";
import type { TestService } from "../service.js";
import { tokenCaller } from "../tokens.js";
import type { Entry } from "./id-names.js";

/** All that a USER can be granted. */
export const allKeys = [...pageKeys, ...overrideKeys];

/** The identity provider's, which may make users: the service's SCIM_TOKENS. */
export const PROVISIONING = "p4Lm8sVq1xT6kD9zR3wY7bN2cF5hJ0gA";

/** A token of each direction that was issued for all of it. */
const fullInbound = { source_system: "shop", inbound_resources: [...inboundResources] };
export const fullOutbound = { event_types: eventTypes, endpoints: endpointSlugs, connector_id: "erp" };

/** Somebody who may not, and what each operation tells that caller; undefined where the caller is no stranger. */
export interface Stranger {
  who: string;
  caller: Caller;
  refusal(entry: Entry): Problem | undefined;
  /** What the refusal says besides. */
  says?: { page: string };
}

const ofUsers = (refusal: (entry: Entry) => Problem | undefined) => (entry: Entry) =>
  entry.route.for.kind === "open" || takesToken(entry.route) ? undefined : refusal(entry);
const ofTokens = (refusal: (entry: Entry) => Problem | undefined) => (entry: Entry) =>
  takesToken(entry.route) ? refusal(entry) : undefined;
/** Refused by all that are not open. */
const closed =
  (toUsers: Problem) =>
  (entry: Entry): Problem | undefined =>
    ofTokens(() => InvalidToken)(entry) ?? ofUsers(() => toUsers)(entry);

/** What a USER without any page hears. */
const withoutPages = ofUsers(({ route }) => {
  if (route.for.kind === "admin") return Forbidden;
  return route.for.kind === "page" ? PermissionDenied : undefined;
});

/** What a token of systems hears at stations and tills. */
const crossed = ({ route }: Entry) => {
  if (route.for.kind !== "dispatch") return undefined;
  return route.for.slug === "station.dispatch" ? WrongTokenDirection : PosCrossDirection;
};

const AUTH = "/api/auth";
const openUntilPasswordChange = ["change-password", "logout", "me"].map((name) => `${AUTH}/${name}`);

/** Callers of every kind that a route refuses before it looks at what is asked. */
export async function strangers(service: TestService, warehouse_ids: number[]): Promise<Stranger[]> {
  const { anyone, config } = service;
  const bearer = (token: string) => anyone.with({ authorization: `Bearer ${token}` });
  const jwtOf = ({ headers }: Caller) => (headers.authorization as string).replace("Bearer ", "");
  const own = jwtOf(service.admin);
  const { exp, iat, ...claims } = jwt.decode(own) as jwt.JwtPayload;
  const signed = (secret: string, options: jwt.SignOptions) => bearer(jwt.sign(claims, secret, options));
  const admin = () => service.user({ role: "ADMIN", warehouse_ids });
  /** A user after something happened to the account. */
  const after = async (what: string, made: Promise<Caller>) => {
    const caller = await made;
    const set = `update users set ${what} where user_id = $1`;
    await db.run(set, [caller.userId]);
    return caller;
  };
  const token = (fields: object) => tokenCaller(service, fields);
  const [pushes, takes] = [
    await token({ ...fullInbound, warehouse_ids }),
    await token({ ...fullOutbound, warehouse_ids }),
  ];
  const ships = await token({ endpoints: ["station.dispatch"], warehouse_ids });
  const revoked = await token({ ...fullInbound, ...fullOutbound });
  await db.run("update wms_tokens set status = 'revoked', revoked_at = now() where token_id = $1", [revoked.token_id]);
  const expired = await token({
    ...{ ...fullInbound, ...fullOutbound },
    expires_at: new Date(Date.now() - 1_000).toISOString(),
  });
  const link = (fields: object) => partnerCaller(service, { connector_id: "erp", warehouse_ids, ...fields });
  const itsPartner = await link({ event_types: eventTypes });
  const ended = [
    await link({ revoked_at: "2026-01-01T00:00:00Z" }),
    await link({ expires_at: "2026-01-01T00:00:00Z" }),
  ];
  const ofPartners = (entry: Entry) => (entry.route.for.kind === "partner" ? InvalidToken : undefined);
  const key = await keyCaller(service, service.admin);
  const deadKeys = [
    await keyCaller(service, service.admin, { expires_at: "2020-01-01T00:00:00Z" }),
    await keyCaller(service, await after("is_active = false", admin())),
    bearer("wes_nobody"),
  ];
  const cookie = { cookie: `service_auth=${own}; service_csrf=one` };
  const noCsrf = ofUsers(({ route }) => (route.method === "get" ? undefined : CsrfInvalid));

  return [
    { who: "nobody", caller: anyone, refusal: closed(Unauthorized) },
    {
      who: "a session that has expired",
      caller: signed(config.jwtSecret, { expiresIn: -10 }),
      refusal: closed(TokenExpired),
    },
    {
      who: "a session that somebody else signed",
      caller: signed("another secret of thirty-two bytes", { expiresIn: 900 }),
      refusal: closed(TokenExpired),
    },
    {
      who: "a session that nobody signed",
      caller: signed("", { expiresIn: 900, algorithm: "none" }),
      refusal: closed(TokenExpired),
    },
    {
      who: "an integration token where a user is wanted",
      caller: takes.caller.with({ "x-wms-token": pushes.plaintext }),
      refusal: ofUsers(() => Unauthorized),
    },
    { who: "an integration token as a user's bearer", caller: bearer(pushes.plaintext), refusal: closed(TokenExpired) },
    { who: "the provider's token for provisioning", caller: bearer(PROVISIONING), refusal: closed(TokenExpired) },
    { who: "an ADMIN where a token is wanted", caller: service.admin, refusal: ofTokens(() => InvalidToken) },
    {
      who: "an ADMIN's session as a token",
      caller: anyone.with({ "x-wms-token": own }),
      refusal: closed(Unauthorized),
    },
    {
      who: "a token that takes, where one that pushes is wanted",
      caller: takes.caller,
      refusal: (entry) => (entry.route.for.kind === "inbound" ? CrossDirection : crossed(entry)),
    },
    {
      who: "a token that pushes, where one that takes is wanted",
      caller: pushes.caller,
      refusal: (entry) => (entry.route.for.kind === "outbound" ? OutboundCrossDirection : crossed(entry)),
    },
    {
      who: "a station's token elsewhere",
      caller: ships.caller,
      refusal: ({ route: { for: permission } }) => {
        if (permission.kind === "inbound") return InboundWrongDirection;
        if (permission.kind === "outbound") return OutboundWrongDirection;
        return permission.kind === "dispatch" && permission.slug !== "station.dispatch"
          ? WrongTokenDirection
          : undefined;
      },
    },
    ...[revoked, expired].map(({ caller }, i) => ({
      who: `a token that ${i ? "has expired" : "was revoked"}`,
      caller,
      refusal: ofTokens(() => InvalidToken),
    })),
    {
      who: "a partner elsewhere than on its own page",
      caller: itsPartner.caller,
      refusal: (entry) => (ofPartners(entry) ? undefined : closed(Unauthorized)(entry)),
    },
    {
      who: "a partner's session as a user's bearer",
      caller: bearer(itsPartner.session),
      refusal: closed(TokenExpired),
    },
    {
      who: "a partner's session as a token",
      caller: anyone.with({ "x-wms-token": itsPartner.session }),
      refusal: closed(Unauthorized),
    },
    ...ended.map(({ caller }, i) => ({
      ...{ who: `a partner whose link ${i ? "has expired" : "was revoked"}`, caller, refusal: ofPartners },
    })),
    {
      who: "an ADMIN's session in place of a partner's",
      caller: service.admin.with({ "x-partner-session": own, "x-wms-token": takes.plaintext }),
      refusal: ofPartners,
    },
    {
      who: "the token of a link, unexchanged",
      caller: anyone.with({ "x-partner-session": itsPartner.token }),
      refusal: ofPartners,
    },
    ...["a key that has expired", "a key of whoever was disabled", "a key that nobody has"].map((who, i) => ({
      ...{ who, caller: deadKeys[i] as Caller, refusal: closed(Unauthorized) },
    })),
    { who: "an ADMIN's key where a token is wanted", caller: key, refusal: ofTokens(() => InvalidToken) },
    {
      who: "an ADMIN's key, where a person is wanted",
      caller: key,
      refusal: ofUsers(({ route }) => (isByPersonOnly(route) ? NotWithKey : undefined)),
    },
    {
      who: "a program that an ADMIN let in by OAuth",
      caller: await keyCaller(service, service.admin, { agent_name: "Claude" }),
      refusal: ofUsers(({ route }) => (route.path === MCP_PATH ? undefined : OnlyForAgents)),
    },
    {
      who: "an ADMIN's key that only reads",
      caller: await keyCaller(service, service.admin, { is_read_only: true }),
      refusal: ofUsers(({ route }) => {
        if (isByPersonOnly(route)) return NotWithKey;
        return route.method !== "get" && !route.changesNothing ? KeyReadsOnly : undefined;
      }),
    },
    {
      who: "an ADMIN's key for no page and no function",
      caller: await keyCaller(service, service.admin, { page_keys: [], functions: [] }),
      refusal: (entry) => {
        if (ofUsers(() => NotWithKey)(entry) && isByPersonOnly(entry.route)) return NotWithKey;
        return functionNeeded(entry.route) ? FunctionNotAllowed : withoutPages(entry);
      },
    },
    { who: "a session cookie without its CSRF header", caller: anyone.with(cookie), refusal: noCsrf },
    {
      who: "a session cookie with another CSRF header",
      caller: anyone.with({ ...cookie, "x-csrf-token": "two" }),
      refusal: noCsrf,
    },
    { who: "a USER without any page", caller: await service.user({ warehouse_ids }), refusal: withoutPages },
    {
      who: "a USER with all pages, where it takes an ADMIN",
      caller: await service.user({ warehouse_ids, page_keys: allKeys }),
      refusal: ({ route }) => (route.for.kind === "admin" ? Forbidden : undefined),
    },
    {
      who: "who was an ADMIN at login and is a USER now",
      caller: await after("role = 'USER'", admin()),
      refusal: withoutPages,
    },
    {
      who: "who was disabled after login",
      caller: await after("is_active = false", admin()),
      refusal: ofUsers(({ route }) => (route.path === `${AUTH}/refresh` ? AccountGone : Unauthorized)),
    },
    {
      who: "whose password must change",
      caller: await after("must_change_password = true", admin()),
      refusal: ofUsers(({ route }) =>
        openUntilPasswordChange.includes(route.path) ? undefined : PasswordChangeRequired,
      ),
    },
    {
      who: "whose password was changed after login",
      caller: await after("password_changed_at = now()", admin()),
      refusal: ofUsers(() => TokenInvalidated),
    },
  ];
}

/** For one operation: who has everything but what it asks for, and who has that alone. */
export async function neighboursOf(
  service: TestService,
  { route }: Entry,
  warehouse_ids: number[],
): Promise<{ lacking: Stranger[]; enough: Caller[] }> {
  const user = (page_keys: string[]) => service.user({ warehouse_ids, page_keys });
  const token = async (fields: object) => (await tokenCaller(service, { ...fields, warehouse_ids })).caller;
  const permission = route.for;
  switch (permission.kind) {
    case "page": {
      const { page, override } = permission;
      const keys = [page, ...(override ? [override] : [])];
      const lacking = await Promise.all(
        keys.map(async (key) => ({
          who: `a USER with all keys but ${key}`,
          caller: await user(allKeys.filter((other) => other !== key)),
          refusal: () => PermissionDenied,
          says: { page: key },
        })),
      );
      const narrow = () => keyCaller(service, service.admin, { page_keys: keys, functions: [] });
      return {
        lacking,
        enough: [service.admin, await user(keys), ...(isByPersonOnly(route) ? [] : [await narrow()])],
      };
    }
    case "inbound": {
      const { resource } = permission;
      const others = inboundResources.filter((other) => other !== resource);
      const source_system = "shop";
      return {
        lacking: [
          {
            who: `a token for everything but ${resource}`,
            caller: await token({ source_system, inbound_resources: others }),
            refusal: () => ResourceNotAllowed,
          },
        ],
        enough: [await token({ source_system, inbound_resources: [resource] })],
      };
    }
    case "outbound": {
      const { slug } = permission;
      const endpoints = endpointSlugs.filter((other) => !allowsEndpoint([other], slug));
      return {
        lacking: [
          {
            who: `a token for everything but ${slug}`,
            caller: await token({ ...fullOutbound, endpoints }),
            refusal: () => EndpointNotAllowed,
          },
        ],
        enough: [await token({ endpoints: [slug] })],
      };
    }
    case "dispatch": {
      const { slug } = permission;
      const endpoints = ["events.poll", ...dispatchSlugs.filter((other) => other !== slug)];
      return {
        lacking: [
          {
            who: `a token for everything but ${slug}`,
            caller: await token({ endpoints }),
            refusal: () => DispatchEndpointNotAllowed,
          },
        ],
        enough: [await token({ endpoints: [slug] })],
      };
    }
    case "partner":
      return {
        lacking: [],
        enough: [
          (await partnerCaller(service, { connector_id: "erp", warehouse_ids, event_types: eventTypes })).caller,
        ],
      };
    case "admin":
      return { lacking: [], enough: [service.admin] };
    case "open":
      return { lacking: [], enough: [service.anyone] };
    default:
      return { lacking: [], enough: [service.admin, await user([])] };
  }
}
