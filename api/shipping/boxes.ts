import { z } from "zod";
import * as activities from "../../activities/shipping/boxes.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { BoxCost, BoxExists, BoxInUse, BoxNotFound } from "../../src/shipping/boxes/problems.js";
import { boxes, boxesToUse } from "../../src/shipping/boxes/queries.js";
import { Box, BoxChanges, BoxFilters, BoxToUse, NewBox } from "../../src/shipping/boxes/shapes.js";
import { admin, floor, route } from "../http/route.js";

/** Boxes: docs/parcels.md. */

const params = z.strictObject({ box_id: QueryInt.describe("Which box it is, as routes name it.") });

export const listBoxes = route("get /api/admin/boxes", {
  for: admin,
  summary: "The boxes that parcels are packed in, by code",
  query: BoxFilters,
  answers: { 200: paged("boxes", Box, "The boxes, one entry for each.") },
  run: async ({ query }) => boxes(query),
});

export const createBox = route("post /api/admin/boxes", {
  for: admin,
  summary: "Adds a box that parcels are packed in",
  body: NewBox,
  answers: { 201: Box },
  errors: [BoxExists, BoxCost],
  run: ({ body, by }) => activities.createBox(body, by),
});

export const updateBox = route("put /api/admin/boxes/:box_id", {
  for: admin,
  summary: "Changes what is sent of a box",
  params,
  body: BoxChanges,
  answers: { 200: Box },
  errors: [BoxNotFound, BoxExists, BoxCost],
  run: ({ params, body, by }) => activities.updateBox(params.box_id, body, by),
});

export const deleteBox = route("delete /api/admin/boxes/:box_id", {
  for: admin,
  summary: "Deletes a box that nothing was packed in",
  params,
  answers: { 200: Message },
  errors: [BoxNotFound, BoxInUse],
  run: ({ params, by }) => activities.deleteBox(params.box_id, by),
});

export const listBoxesToUse = route("get /api/packing/boxes", {
  for: floor("pack"),
  summary: "The boxes in use, the smallest first, to choose one",
  answers: {
    200: z.strictObject({ boxes: z.array(BoxToUse).describe("Those that can be chosen, the smallest first.") }),
  },
  run: async () => ({ boxes: await boxesToUse() }),
});
