import { z } from "zod";
import * as activities from "../../activities/auth/badges.js";
import { newBadgeCode } from "../../src/auth/badges/badge.js";
import { badgeLabels } from "../../src/auth/badges/draw-label.js";
import { badgeOf } from "../../src/auth/badges/queries.js";
import { BadgeLabel, BadgeOfUser, NewlyMadeBadge } from "../../src/auth/badges/shapes.js";
import { GrantsTooMuch, NoBadge, UserNotFound } from "../../src/auth/problems.js";
import { unseal } from "../../src/auth/sealed.js";
import { answerOwner } from "../../src/auth/tokens/token.js";
import { user } from "../../src/auth/users/queries.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { print } from "../../src/platform/labels/print.js";
import { labelSizes } from "../../src/platform/labels/sizes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { threadCaller } from "../http/file-answer.js";
import { page, route } from "../http/route.js";
import { sessions } from "./caches.js";
import { newSecret } from "./new-secret.js";

/** Badges of users: docs/security.md, Badges. */

const params = z.strictObject({ user_id: QueryInt.describe("Id of the user in this service.") });

export const getBadge = route("get /api/admin/users/:user_id/badge", {
  for: page("users"),
  summary: "The badge of a user, without its code; null where the user has none",
  params,
  answers: { 200: BadgeOfUser },
  errors: [UserNotFound],
  run: async ({ params: { user_id } }) => {
    if (!(await user(user_id))) throw UserNotFound();
    return { badge: (await badgeOf(user_id)) ?? null };
  },
});

export const makeBadge = route("post /api/admin/users/:user_id/badge", {
  for: page("users"),
  byPersonOnly: true,
  stepUp: true,
  summary:
    "Makes a badge for a user, in place of the one that the user has; this answer is the only one with its code and " +
    "its label",
  params,
  body: BadgeLabel,
  answers: { 201: NewlyMadeBadge },
  errors: [UserNotFound, GrantsTooMuch, WarehouseDenied],
  run: async ({ params: { user_id }, body: { size, ...how }, by, res, options }) => {
    const making = activities.makeBadge(user_id, newSecret(newBadgeCode(), options, by), by);
    const { sealed, username, full_name, ...badge } = await sessions.invalidateAfter(making);
    const code = unseal(sealed, answerOwner(by.commandId), options);
    // A repeat gets the same file.
    const asked = { ...how, size: labelSizes[size], at: badge.made_at };
    const drawn = await print(
      asked,
      `badge-${username}`,
      badgeLabels,
      { username, full_name, code },
      threadCaller(by, res),
    );
    return { ...badge, code, label: drawn.content.toString("base64"), label_name: drawn.fileName };
  },
});

export const revokeBadge = route("delete /api/admin/users/:user_id/badge", {
  for: page("users"),
  byPersonOnly: true,
  summary: "Revokes the badge of a user: sessions that were begun with it end",
  params,
  answers: { 200: Message },
  errors: [UserNotFound, NoBadge, GrantsTooMuch, WarehouseDenied],
  run: ({ params: { user_id }, by }) => sessions.invalidateAfter(activities.revokeBadge(user_id, by)),
});
