import { z } from "zod";
import {
  addSourceSystem,
  removeSourceSystem,
} from "../activities/source-systems.js";
import {
  SourceSystemExists,
  SourceSystemInUse,
  SourceSystemNotFound,
} from "../src/source-systems/problems.js";
import { sourceSystems } from "../src/source-systems/queries.js";
import { SourceSystem, SourceSystemName, Text } from "./fields.js";
import { admin, page, route } from "./route.js";

/** Systems that may push records: reference 04 §2. Who edits sales orders picks one of them (reference 01 §6). */

export const listSourceSystems = route("get /api/admin/source-systems", {
  for: page("sales-orders"),
  summary: "Systems that may push records, by name",
  answers: { 200: z.strictObject({ source_systems: z.array(SourceSystem) }) },
  run: async () => ({ source_systems: await sourceSystems() }),
});

export const allowSourceSystem = route("post /api/admin/source-systems", {
  for: admin,
  summary:
    "Lets a system push records; the next start wants its mapping document",
  body: SourceSystem.extend({ notes: Text(1000, "The web shop").nullish() }),
  answers: { 201: SourceSystem },
  errors: [SourceSystemExists],
  run: ({ body, by }) => addSourceSystem(body, by),
});

export const dropSourceSystem = route(
  "delete /api/admin/source-systems/:source_system",
  {
    for: admin,
    summary:
      "Takes a system off the list that has no tokens and pushed nothing",
    params: z.strictObject({ source_system: SourceSystemName }),
    answers: {
      200: z.strictObject({
        source_system: SourceSystemName,
        deleted: z.literal(true),
      }),
    },
    errors: [SourceSystemNotFound, SourceSystemInUse],
    run: ({ params, by }) => removeSourceSystem(params.source_system, by),
  },
);
