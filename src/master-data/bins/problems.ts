import { problem } from "../../platform/problem.js";

export const LabelsOfNothing = problem("labels_of_nothing", 400, "Name either bin_ids or a zone_id");
