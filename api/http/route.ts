import type { Request, Response } from "express";
import type { z } from "zod";
import type { FloorFunction, OverrideKey, PageKey } from "../../src/auth/rights.js";
import type { DispatchSlug, InboundResource, OutboundSlug } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import type { OpenLink } from "../../src/partners/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Listing } from "../../src/platform/db/listing.js";
import type { JsonText } from "../../src/platform/json-text.js";
import type { Problem } from "../../src/platform/problem.js";
import type { StepUpRules } from "../../src/system/settings/queries.js";
import type { AppOptions } from "./options.js";
import type { CountRequest } from "./shared-limit.js";

/** Who may call a route; required, there is no default. */
export type Permission =
  | { kind: "open" }
  | { kind: "signedIn" }
  | { kind: "floor"; function: FloorFunction | "any" | "lookup" }
  | { kind: "page"; page: PageKey; override?: OverrideKey; orFor?: PartOfPage }
  | { kind: "admin" }
  | { kind: "inbound"; resource: InboundResource }
  | { kind: "outbound"; slug: OutboundSlug }
  | { kind: "dispatch"; slug: DispatchSlug }
  | { kind: "partner" };

/** A part of a page that others may request: only with one of these values in path or query. */
export interface PartOfPage {
  /** The page whose users may request it; without one every user may. */
  page?: PageKey;
  in: "params" | "query";
  name: string;
  values: readonly string[];
}

type PermissionOf<K extends Permission["kind"]> = Extract<Permission, { kind: K }>;

/** Anyone, without a credential. */
export const open: PermissionOf<"open"> = { kind: "open" };
/** Any user who is signed in. */
export const signedIn: PermissionOf<"signedIn"> = { kind: "signedIn" };
/**
 * Any user who is signed in, within the user's warehouses. Where functions are enforced, a write needs this one, or
 * with `any` one of them, whichever it is.
 */
export const floor = (name: FloorFunction | "any" | "lookup"): PermissionOf<"floor"> => ({
  kind: "floor",
  function: name,
});
/** An ADMIN, or a user who was granted the page (docs/interface.md, Rights). */
export const page = (key: PageKey): PermissionOf<"page"> => ({ kind: "page", page: key });
/** An ADMIN, or a user who was granted the page and the override (docs/interface.md, Rights). */
export const pageWith = (key: PageKey, override: OverrideKey): PermissionOf<"page"> => ({
  kind: "page",
  page: key,
  override,
});
/** As `page`; users of another page, or all users, may request a part of it. */
export const pageOrPart = (key: PageKey, orFor: PartOfPage): PermissionOf<"page"> => ({
  kind: "page",
  page: key,
  orFor,
});
/** ADMIN only. */
export const admin: PermissionOf<"admin"> = { kind: "admin" };
/**
 * An integration token that was issued for the resource (docs/interface.md, Tokens). Such a route lies under
 * `/api/v1/inbound/`.
 */
export const inbound = (resource: InboundResource): PermissionOf<"inbound"> => ({ kind: "inbound", resource });

/** An integration token that was issued for the endpoint (docs/interface.md, Tokens). */
export const outbound = (slug: OutboundSlug): PermissionOf<"outbound"> => ({ kind: "outbound", slug });

/**
 * A token of a shipping station or a till (docs/interface.md, Shipping station). Such a route lies under
 * `/api/v1/station/` or `/pos/`.
 */
export const dispatch = (slug: DispatchSlug): PermissionOf<"dispatch"> => ({ kind: "dispatch", slug });

/**
 * A partner, by the session of its link (docs/partners.md). Such a route lies under `/api/partner/`, and gives nothing
 * but what the connector of the link owns.
 */
export const partner: PermissionOf<"partner"> = { kind: "partner" };

/** Whether the route is called with an integration token or a partner's session, rather than by a user. */
export const takesToken = ({ for: permission }: Pick<Route, "for">): boolean =>
  ["inbound", "outbound", "dispatch", "partner"].includes(permission.kind);

/** The scanner function that a user needs for the route where functions are enforced; reading needs none. */
export function functionNeeded(route: Route): FloorFunction | "any" | undefined {
  const { for: permission, method, changesNothing } = route;
  if (permission.kind !== "floor" || permission.function === "lookup") return undefined;
  return method === "get" || changesNothing ? undefined : permission.function;
}

/** How large a body may be: in KB, and in JSON values, each of which costs more memory than its bytes. */
export interface BodyLimit {
  kb: number;
  values: number;
}

/** Enough for an import of 5,000 records with about 25 columns, or a large document of another system. */
const MAX_VALUES_OF_RECORDS = 150_000;
/** Enough for an order with a thousand lines; reporting so many invalid values still takes no noticeable time. */
const MAX_VALUES = 10_000;
/** The limit of imports, whose bodies come from files. */
export const recordsLimit: BodyLimit = { kb: 10 * 1024, values: MAX_VALUES_OF_RECORDS };

/** The limits of bodies that an installation sets. */
export type ConfiguredBodyLimits = Pick<AppOptions, "inboundMaxBodyKb" | "stationMaxBodyKb" | "posMaxBodyKb">;

/** The limit of a route's bodies: its own, else by its permission. It is lowest where no credential is needed. */
export function bodyLimitOf(route: Pick<Route, "for" | "bodyLimit">, configured: ConfiguredBodyLimits): BodyLimit {
  if (route.bodyLimit) return route.bodyLimit;
  switch (route.for.kind) {
    case "open":
      return { kb: 64, values: MAX_VALUES };
    case "inbound":
      return { kb: configured.inboundMaxBodyKb, values: MAX_VALUES_OF_RECORDS };
    case "dispatch":
      return {
        kb: route.for.slug === "station.dispatch" ? configured.stationMaxBodyKb : configured.posMaxBodyKb,
        values: MAX_VALUES,
      };
    default:
      return { kb: 1024, values: MAX_VALUES };
  }
}

type Shape<S> = S extends z.ZodType ? z.output<S> : undefined;
type Schema = z.ZodType | undefined;

/**
 * The caller of a route with this permission: unknown on an `open` one; for a token, `by` is the token as an actor.
 * `countRequest` is for `dispatch` routes whose repeats are free: it throws 429 when the limit is reached.
 */
export type Caller<F extends Permission> = F extends { kind: "open" }
  ? object
  : F extends { kind: "inbound" | "outbound" }
    ? { by: Actor; token: Token }
    : F extends { kind: "dispatch" }
      ? { by: Actor; token: Token; countRequest: CountRequest }
      : F extends { kind: "partner" }
        ? { by: Actor; link: OpenLink }
        : { by: Actor };

/** What a route's `run` gets: the validated request, and who calls. */
export type Call<F extends Permission, P extends Schema, Q extends Schema, B extends Schema> = Caller<F> & {
  params: Shape<P>;
  query: Shape<Q>;
  body: Shape<B>;
  req: Request;
  res: Response;
  /** The configuration of the app. */
  options: AppOptions;
};

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface Route {
  method: Method;
  /** As Express reads it: `/api/receiving/po/:barcode`. */
  path: string;
  summary: string;
  for: Permission;
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  /** The limit of its bodies, where it is not the usual one. */
  bodyLimit?: BodyLimit;
  /** The route itself checks its body for NUL: an import names the row. */
  checksNul?: boolean;
  /** The content type of the answer, where it is not `application/json`. */
  mediaType?: string;
  /** The content types of its answer, where that is a file (`FileAnswer` or `StreamedFile`). */
  files?: readonly string[];
  /**
   * A person does it, and no personal key: it makes or changes a way in, or decides what a person is to decide. All of
   * `/api/auth/` is so but `GET /api/auth/me` (api/auth/authenticate.ts).
   */
  byPersonOnly?: boolean;
  /**
   * It is dangerous, always or with such a body: where the setting `step_up` is on, the session must have proved a
   * moment ago whose it is, and a personal key does not do (docs/step-up.md).
   */
  stepUp?: StepUp<z.ZodType>;
  /**
   * It takes something away, or out of the house, though it is no DELETE: an agent always waits for a person then
   * (docs/agents.md).
   */
  destructive?: boolean;
  /** It only reads, though it is no GET: an `Idempotency-Key` is ignored. */
  changesNothing?: boolean;
  /**
   * An origin of other pages that may call it with the login's cookies alone: they cannot know its CSRF token. Only on
   * a route that changes nothing.
   */
  calledFrom?: (options: AppOptions) => string | undefined;
  /** Only on an open route: it is for health probes, which are not rate limited. */
  unlimited?: boolean;
  /**
   * Only on an open route: the sender has signed the body. `run` reads it (`readBytes`) once it knows that it may be
   * signed, verifies it, and sets `res.locals.isSigned`. Only the requests that it refuses with 401 count against the
   * limit of their address; where that is reached, only addresses that have signed before get as far as `run`.
   */
  signedBody?: boolean;
  /**
   * Requests a minute of one user, over all routes with the same number, or of one token to this `dispatch` route;
   * without effect where users are not rate limited at all.
   */
  perMinute?: number;
  /** Only on a `dispatch` route: repeats of a request are free, so `run` itself calls `countRequest`. */
  repeatsAreFree?: boolean;
  /**
   * The schema of the successful answer, by its status. Beside a 201 there may be a 200 for a record that existed
   * before, and beside a 200 a 409 whose body is not a refusal; `run` then sets the status.
   */
  answers: Record<number, z.ZodType>;
  errors: Problem[];
  run(call: Call<Permission, z.ZodType, z.ZodType, z.ZodType>): Promise<unknown> | unknown;
}

/** Whether a request is dangerous: always, or as its body says. */
type StepUp<B extends Schema> = true | ((body: Shape<B>, rules: StepUpRules) => Promised<boolean>);

type Answers =
  | { 200: z.ZodType }
  | { 201: z.ZodType }
  | { 202: z.ZodType }
  | { 204: z.ZodType }
  | { 303: z.ZodType }
  | { 201: z.ZodType; 200: z.ZodType }
  | { 200: z.ZodType; 409: z.ZodType };
type Answer<A extends Answers> = z.input<Extract<A[keyof A], z.ZodType>>;

interface Declaration<F extends Permission, P extends Schema, Q extends Schema, B extends Schema, A extends Answers>
  extends Omit<
    Route,
    "method" | "path" | "for" | "params" | "query" | "body" | "stepUp" | "answers" | "errors" | "run"
  > {
  for: F;
  stepUp?: StepUp<B>;
  params?: P;
  query?: Q;
  body?: B;
  answers: A;
  errors?: Problem[];
  run(call: Call<F, P, Q, B>): Promised<Answer<A> | JsonText> | Promised<Listing<Answer<A> | JsonText>>;
}
type Promised<T> = T | Promise<T>;

/** Declares a route: `route("post /api/receiving/receive", { for: floor("receive"), … })`. */
export function route<
  F extends Permission,
  A extends Answers,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(line: `${Method} /${string}`, declaration: Declaration<F, P, Q, B, A>): Route {
  const [method, path] = line.split(" ") as [Method, string];
  return { errors: [], ...declaration, method, path } as Route;
}
