import { createHash, randomUUID } from "node:crypto";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { z } from "zod";
import * as groups from "../../../activities/auth/scim/groups.js";
import * as users from "../../../activities/auth/scim/users.js";
import { SignInRefused } from "../../../src/auth/oidc/refused.js";
import { Unauthorized } from "../../../src/auth/problems.js";
import { asScimError, scimError } from "../../../src/auth/scim/errors.js";
import { filterIn } from "../../../src/auth/scim/filter.js";
import { patched } from "../../../src/auth/scim/patch.js";
import * as queries from "../../../src/auth/scim/queries.js";
import { LIST_SCHEMA, ScimGroupInput, ScimPatch, ScimUserInput } from "../../../src/auth/scim/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { db } from "../../../src/platform/db/db.js";
import { isSame } from "../../../src/platform/is-same.js";
import { DomainError } from "../../../src/platform/problem.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import type { AddressLimit } from "../../http/address-limit.js";
import type { AppOptions } from "../../http/options.js";
import { noteRefusal } from "../../http/security-log.js";
import { refuseNul } from "../../http/validation.js";
import { bearerOf } from "../authenticate.js";
import { sessions } from "../caches.js";
import * as resources from "./resources.js";

/**
 * Users and groups that the identity provider provisions: SCIM 2.0 (docs/sign-in.md, Provisioning). It is a standard
 * with shapes of its own, which describes itself, so it is no part of the OpenAPI document.
 */

const MEDIA_TYPE = "application/scim+json";
/** A group with all its members. */
const MOST_KB = 1024;

interface Call {
  req: Request;
  by: Actor;
  /** The address of what is below `/scim/v2`. */
  base: string;
  id: string;
  body: unknown;
}
type Answer = [status: number, body?: object];

export function scim(options: Pick<AppOptions, "scimTokens">, addresses: AddressLimit): Router {
  const router = express.Router();
  const hashes = options.scimTokens.map(hashOf);
  const readJson = express.json({ type: [MEDIA_TYPE, "application/json"], limit: MOST_KB * 1024 });

  const authenticate = async (req: Request) => {
    const sent = hashOf(bearerOf(req) ?? "");
    if (!hashes.some((known) => isSame(sent, known))) throw Unauthorized();
  };
  router.use(async (req, res, next) => {
    res.locals.requestId = randomUUID();
    if (hashes.length === 0) throw scimError(404, "Provisioning is not set up (SCIM_TOKENS)");
    addresses.check(req);
    await addresses.countFailure(req, () => authenticate(req));
    res.setHeader("Cache-Control", "no-store");
    next();
  });
  router.use(readJson);

  const on = (
    method: "get" | "post" | "put" | "patch" | "delete",
    path: string,
    run: (call: Call) => Promise<Answer>,
  ) =>
    router[method](path, async (req, res) => {
      refuseNul(req.body ?? {});
      const by = { ...systemActor(randomUUID()), username: "system:scim", requestId: res.locals.requestId };
      const base = `${req.protocol}://${req.host}${resources.ROOT}`;
      const [status, body] = await run({
        req,
        by,
        base,
        id: String(req.params.id ?? "").toLowerCase(),
        body: req.body,
      });
      res.status(status);
      if (body && "meta" in body && status === 201)
        res.setHeader("Location", (body.meta as { location: string }).location);
      if (body) res.type(MEDIA_TYPE).send(JSON.stringify(body));
      else res.end();
    });

  on("get", "/ServiceProviderConfig", async () => [200, resources.serviceProviderConfig]);
  on("get", "/ResourceTypes", async () => [200, listOf(resources.resourceTypes)]);
  on("get", "/Schemas", async () => [200, listOf(resources.schemas)]);

  on("get", "/Users", async ({ req, base }) => {
    const wanted = wantedBy(req, ["userName", "externalId", "id"] as const);
    const { total, resources: found } = await queries.provisionedUsers(db, wanted);
    return [
      200,
      listOf(
        found.map((user) => resources.userResource(user, base)),
        total,
        wanted.startIndex,
      ),
    ];
  });
  on("get", "/Users/:id", async ({ id, base }) => [
    200,
    resources.userResource(await queries.provisionedUser(db, id), base),
  ]);
  on("post", "/Users", async ({ body, by, base }) => {
    const made = await users.provisionUser(inputOf(ScimUserInput, body), by);
    return [201, resources.userResource(made, base)];
  });
  const changeUser = async ({ id, by, base }: Call, input: (before: queries.ProvisionedUser) => unknown) => {
    const change = users.changeProvisionedUser(id, (before) => inputOf(ScimUserInput, input(before)), by);
    return [200, resources.userResource(await sessions.invalidateAfter(change), base)] satisfies Answer;
  };
  on("put", "/Users/:id", (call) => changeUser(call, () => call.body));
  on("patch", "/Users/:id", (call) => {
    const { Operations } = inputOf(ScimPatch, call.body);
    return changeUser(call, (before) => patched(users.asInput(before), Operations));
  });
  on("delete", "/Users/:id", async ({ id, by }) => {
    const user = await queries.provisionedUser(db, id);
    await sessions.invalidateAfter(users.deprovisionUser(user, by));
    return [204];
  });

  on("get", "/Groups", async ({ req, base }) => {
    const wanted = wantedBy(req, ["displayName", "externalId", "id"] as const);
    const { total, resources: found } = await queries.provisionedGroups(db, wanted);
    const isWithout = /(^|,)members(,|$)/.test(String(req.query.excludedAttributes ?? ""));
    const shown = found.map((group) => {
      const { members, ...rest } = resources.groupResource(group, base);
      return isWithout ? rest : { ...rest, members };
    });
    return [200, listOf(shown, total, wanted.startIndex)];
  });
  on("get", "/Groups/:id", async ({ id, base }) => [
    200,
    resources.groupResource(await queries.provisionedGroup(db, id), base),
  ]);
  on("post", "/Groups", async ({ body, by, base }) => {
    const made = groups.provisionGroup(inputOf(ScimGroupInput, body), by);
    return [201, resources.groupResource(await sessions.invalidateAfter(made), base)];
  });
  const changeGroup = async ({ id, by, base }: Call, input: (before: queries.ProvisionedGroup) => unknown) => {
    const change = groups.changeProvisionedGroup(id, (before) => inputOf(ScimGroupInput, input(before)), by);
    return [200, resources.groupResource(await sessions.invalidateAfter(change), base)] satisfies Answer;
  };
  on("put", "/Groups/:id", (call) => changeGroup(call, () => call.body));
  on("patch", "/Groups/:id", (call) => {
    const { Operations } = inputOf(ScimPatch, call.body);
    return changeGroup(call, ({ display_name: displayName, external_id: externalId, members }) =>
      patched({ displayName, externalId, members }, Operations),
    );
  });
  on("delete", "/Groups/:id", async ({ id, by }) => {
    await sessions.invalidateAfter(groups.deprovisionGroup(id, by));
    return [204];
  });

  router.use(() => {
    throw scimError(404, "There is no such resource");
  });
  router.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    const refusal = refusalOf(error);
    if (!refusal) return next(error);
    noteRefusal(refusal, req, res);
    if (refusal.retryAfter !== undefined) res.setHeader("Retry-After", String(refusal.retryAfter));
    res.status(refusal.status).type(MEDIA_TYPE).send(JSON.stringify(refusal.body));
  });
  return router;
}

/** The refusal that an error stands for; undefined for a fault of the service. */
function refusalOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return asScimError(error);
  if (error instanceof SignInRefused) return scimError(400, "The last active ADMIN must stay one", "mutability");
  const { status, type } = error as { status?: number; type?: string };
  if (type === "entity.too.large") return scimError(413, `At most ${MOST_KB} KB`);
  return Number(status) >= 400 && Number(status) < 500 ? scimError(400, "No JSON", "invalidSyntax") : undefined;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest();

const listOf = (found: object[], totalResults = found.length, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  ...{ totalResults, startIndex, itemsPerPage: found.length, Resources: found },
});

/** What was sent, if it is such; the first fault is named otherwise. */
function inputOf<S extends z.ZodType>(shape: S, sent: unknown): z.output<S> {
  const { data, error } = shape.safeParse(sent);
  if (!error) return data as z.output<S>;
  const [fault] = error.issues;
  throw scimError(400, `${fault?.path.join(".") || "body"}: ${fault?.message}`, "invalidValue");
}

const Paging = z.object({
  filter: z.string().max(512).optional(),
  startIndex: z.coerce
    .number()
    .int()
    .transform((index) => Math.min(Math.max(1, index), 1_000_000))
    .default(1),
  count: z.coerce
    .number()
    .int()
    .transform((count) => Math.min(Math.max(0, count), resources.MOST_RESOURCES))
    .default(resources.MOST_RESOURCES),
});

function wantedBy<A extends string>(req: Request, attributes: readonly A[]) {
  const { filter, ...page } = inputOf(Paging, { ...req.query });
  return { ...page, filter: filterIn(filter, attributes) };
}
