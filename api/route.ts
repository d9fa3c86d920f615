import type { Request, Response } from "express";
import type { z } from "zod";
import type { Actor } from "../src/actor.js";
import type { FloorFunction } from "../src/auth/functions.js";
import type { OverrideKey, PageKey } from "../src/auth/pages.js";
import type { Problem } from "../src/problem.js";
import type { InboundResource, OutboundSlug } from "../src/tokens/scope.js";
import type { Token } from "../src/tokens/token.js";
import type { AppOptions } from "./handle.js";

/** Who may call a route. Every route says it; there is no default. */
export type Permission =
  | { kind: "open" }
  | { kind: "signedIn" }
  | { kind: "floor"; function: FloorFunction | "lookup" }
  | { kind: "page"; page: PageKey; override?: OverrideKey }
  | { kind: "admin" }
  | { kind: "inbound"; resource: InboundResource }
  | { kind: "outbound"; slug: OutboundSlug };

/** Anyone, without a credential. */
export const open: Permission = { kind: "open" };
/** Any user who is signed in. */
export const signedIn: Permission = { kind: "signedIn" };
/** Any user who is signed in, within the user's warehouses. */
export const floor = (name: FloorFunction | "lookup"): Permission => ({
  kind: "floor",
  function: name,
});
/** An ADMIN, or a user who was granted the page (reference 01 §6). */
export const page = (key: PageKey): Permission => ({ kind: "page", page: key });
/** An ADMIN, or a user who was granted the page and the override (reference 01 §6). */
export const pageWith = (key: PageKey, override: OverrideKey): Permission => ({
  kind: "page",
  page: key,
  override,
});
/** ADMIN only. */
export const admin: Permission = { kind: "admin" };
/** An integration token that was issued for the resource (reference 04 §1.5). Such a route lies under `/api/v1/inbound/`. */
export const inbound = (resource: InboundResource): Permission => ({
  kind: "inbound",
  resource,
});

/** An integration token that was issued for the endpoint (reference 04 §1.5). */
export const outbound = (slug: OutboundSlug): Permission => ({
  kind: "outbound",
  slug,
});

/** Whether programs of others call the route, with a token, rather than users. */
export const takesToken = ({ for: permission }: Pick<Route, "for">): boolean =>
  permission.kind === "inbound" || permission.kind === "outbound";

type Shape<S> = S extends z.ZodType ? z.output<S> : undefined;
type Schema = z.ZodType | undefined;

/** What a route's `run` gets: the checked request, and who asks. */
export interface Call<P extends Schema, Q extends Schema, B extends Schema> {
  params: Shape<P>;
  query: Shape<Q>;
  body: Shape<B>;
  /** The caller; on an `open` route nobody. */
  by: Actor;
  /** What the caller of an `inbound` or `outbound` route is; elsewhere there is none. */
  token: Token;
  req: Request;
  res: Response;
  /** What the app was made with. */
  options: AppOptions;
}

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
  /** The route finds NUL in its body itself: an import says which row. */
  judgesNul?: boolean;
  /** Of the answer, where it is not `application/json`. */
  mediaType?: string;
  /** It only reads, though it is no GET: an `Idempotency-Key` means nothing to it. */
  changesNothing?: boolean;
  /** So many requests a minute of one user, over all routes that say the same; where users have no limit, this is none either. */
  perMinute?: number;
  /** The answer of success, by its status. Beside a 201 there may be a 200 for what was there before: then `run` sets it. */
  answers: Record<number, z.ZodType>;
  errors: Problem[];
  run(call: Call<z.ZodType, z.ZodType, z.ZodType>): Promise<unknown> | unknown;
}

/** An answer that is JSON already. */
export class JsonText {
  constructor(readonly text: string) {}
}

type Answers =
  | { 200: z.ZodType }
  | { 201: z.ZodType }
  | { 204: z.ZodType }
  | { 201: z.ZodType; 200: z.ZodType };
type Answer<A extends Answers> = z.input<Extract<A[keyof A], z.ZodType>>;

interface Declaration<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  A extends Answers,
> {
  for: Permission;
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  judgesNul?: boolean;
  mediaType?: string;
  changesNothing?: boolean;
  perMinute?: number;
  answers: A;
  errors?: Problem[];
  run(call: Call<P, Q, B>): Promise<Answer<A> | JsonText> | Answer<A>;
}

/** Declares a route: `route("post /api/receiving/receive", { for: floor("receive"), … })`. */
export function route<
  A extends Answers,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(line: `${Method} /${string}`, declaration: Declaration<P, Q, B, A>): Route {
  const [method, path] = line.split(" ") as [Method, string];
  return { errors: [], ...declaration, method, path } as Route;
}
