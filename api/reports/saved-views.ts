import { z } from "zod";
import * as activities from "../../activities/reports/saved-views.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { SavedViewNameTaken, SavedViewNotFound, SavedViewNotYours } from "../../src/reports/problems.js";
import { savedViews } from "../../src/reports/views/queries.js";
import { NewSavedView, SavedView, ViewedList } from "../../src/reports/views/shapes.js";
import { route, signedIn } from "../http/route.js";

/** Views of lists that people keep: docs/lists.md. */

export const listSavedViews = route("get /api/admin/saved-views", {
  for: signedIn,
  summary: "Views of lists: the caller's own and those that are shared, by name",
  query: z.object({ ...wholeList(SavedView), list: ViewedList.optional().describe("Only those of this list.") }),
  answers: {
    200: z.strictObject({ saved_views: z.array(SavedView).describe("Each view that the caller may use.") }),
  },
  run: async ({ query, by }) => ({ saved_views: await savedViews(by.userId, query.list) }),
});

export const createSavedView = route("post /api/admin/saved-views", {
  for: signedIn,
  summary: "Keeps a view of a list, for the caller or for everybody",
  body: NewSavedView,
  answers: { 201: SavedView },
  errors: [SavedViewNameTaken],
  run: ({ body, by }) => activities.createSavedView(body, by),
});

export const deleteSavedView = route("delete /api/admin/saved-views/:view_id", {
  for: signedIn,
  summary: "Deletes an own view; an ADMIN also those that others share",
  params: z.strictObject({ view_id: QueryInt.describe("Id of the view, by which routes name it.") }),
  answers: { 200: Message },
  errors: [SavedViewNotFound, SavedViewNotYours],
  run: ({ params, by }) => activities.deleteSavedView(params.view_id, by),
});
