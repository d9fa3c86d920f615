import { problem } from "../../platform/problem.js";

export const ConsumerGroupNotFound = problem("consumer_group_not_found", 404, "consumer_group_not_found");
export const DuplicateConsumerGroupId = problem("duplicate_consumer_group_id", 409, "duplicate_consumer_group_id");
export const ReplayWouldSkipHistory = problem("replay_would_skip_history", 409, "replay_would_skip_history");
export const NoFieldsToUpdate = problem("no_fields_to_update", 400, "no_fields_to_update");
