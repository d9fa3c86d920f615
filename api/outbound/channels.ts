import { z } from "zod";
import * as activities from "../../activities/outbound/channels/channels.js";
import * as endings from "../../activities/outbound/channels/channels.js";
import { seal, unseal } from "../../src/auth/sealed.js";
import { UnknownWarehouseIds } from "../../src/auth/tokens/problems.js";
import { channels, parkedItems } from "../../src/outbound/channels/queries.js";
import {
  Channel,
  ChannelEdit,
  ChannelInPath,
  IssuedChannel,
  NewChannel,
  ParkedItem,
  ParkedQuery,
  RevokedChannel,
  RotatedChannelSecret,
} from "../../src/outbound/channels/shapes.js";
import {
  CannotModifyRevokedChannel,
  CannotRotateRevokedChannel,
  ChannelIdTaken,
  ChannelNotFound,
  HttpsRequired,
  PrivateDestination,
  UnsupportedScheme,
} from "../../src/outbound/problems.js";
import { channelSecretOwner, newSecret } from "../../src/outbound/secrets.js";
import { Count } from "../../src/outbound/webhooks/shapes.js";
import { hasPrivateAddress } from "../../src/outbound/wire/connections.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import type { AppOptions } from "../http/options.js";
import { page, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "./limits.js";

/** Sales channels: docs/interface.md, Channels. A USER manages those that sell from the user's warehouses alone. */

const params = z.strictObject({ channel_id: ChannelInPath });

const destinationOf = async (url: string, { allowInternalWebhooks }: AppOptions) => ({
  url,
  isPrivate: await hasPrivateAddress(url, allowInternalWebhooks),
});

const newSealedSecret = (channelId: string, options: AppOptions) =>
  seal(newSecret(), channelSecretOwner(channelId), options);

/** The answer with the secret unsealed, as a repeat with the same `Idempotency-Key` gets it too. */
function withSecret<A extends { sealed: string; channel_id: string }>({ sealed, ...answer }: A, options: AppOptions) {
  return { ...answer, secret: unseal(sealed, channelSecretOwner(answer.channel_id), options) };
}

/** The refusals of scopes and URLs. */
const refusals = [UnsupportedScheme, HttpsRequired, PrivateDestination, UnknownWarehouseIds, WarehouseDenied];

export const createChannel = route("post /api/admin/channels", {
  for: page("channels"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Makes a channel and publishes its whole availability; this answer is the only one that shows the secret",
  body: NewChannel,
  answers: { 201: IssuedChannel },
  errors: [...refusals, ChannelIdTaken],
  run: async ({ body: { delivery_url, ...settings }, by, options }) =>
    withSecret(
      await activities.createChannel(
        { ...settings, destination: await destinationOf(delivery_url, options) },
        newSealedSecret(settings.channel_id, options),
        options.allowHttpWebhooks,
        by,
      ),
      options,
    ),
});

export const listChannels = route("get /api/admin/channels", {
  for: page("channels"),
  summary: "Channels, newest first, revoked ones too; never their secrets",
  query: z.object(wholeList(Channel)),
  answers: { 200: z.strictObject({ channels: z.array(Channel).describe("The channels, each with its figures.") }) },
  run: async ({ by }) => ({ channels: await channels(db, visibleWarehouses(by)) }),
});

export const updateChannel = route("patch /api/admin/channels/:channel_id", {
  for: page("channels"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Changes, pauses or resumes a channel; a resumed one gets the whole availability again",
  params,
  body: ChannelEdit,
  answers: { 200: Channel },
  errors: [ChannelNotFound, CannotModifyRevokedChannel, ...refusals],
  run: async ({ params: { channel_id }, body: { delivery_url, ...changes }, by, options }) => {
    const destination = delivery_url === undefined ? undefined : await destinationOf(delivery_url, options);
    return activities.updateChannel(channel_id, { ...changes, destination }, options.allowHttpWebhooks, by);
  },
});

export const rotateChannelSecret = route("post /api/admin/channels/:channel_id/rotate-secret", {
  for: page("channels"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Gives a channel a new secret, which only this answer shows; the one before holds for another 24 hours",
  params,
  answers: { 200: RotatedChannelSecret },
  errors: [ChannelNotFound, CannotRotateRevokedChannel],
  run: async ({ params: { channel_id: id }, by, options }) =>
    withSecret(await endings.rotateChannelSecret(id, newSealedSecret(id, options), by), options),
});

export const deleteChannel = route("delete /api/admin/channels/:channel_id", {
  for: page("channels"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Revokes a channel for good; it stays listed",
  params,
  answers: { 200: RevokedChannel },
  errors: [ChannelNotFound],
  run: ({ params: { channel_id }, by }) => endings.revokeChannel(channel_id, by),
});

export const listParkedItems = route("get /api/admin/channels/:channel_id/dlq", {
  for: page("channels"),
  summary: "Items that a channel did not take, after all attempts",
  params,
  query: ParkedQuery,
  answers: {
    200: z.strictObject({
      parked: z.array(ParkedItem).describe("The items."),
      total: Count.describe("How many records there are on all pages together."),
    }),
  },
  errors: [ChannelNotFound],
  run: async ({ params: { channel_id }, query, by }) => {
    const found = await parkedItems(visibleWarehouses(by), channel_id, query);
    if (!found) throw ChannelNotFound();
    return found;
  },
});
