/** What fields of connectors and their syncs mean. */
export const connectorDescriptions: Record<string, string> = {
  connector: "The connector, by its name.",
  connectors: "The connectors, each with what is known of it.",
  config_schema: "What the connector has to be told, by field.",
  capabilities: "What the connector can do.",
  required: "Whether it has to be given.",
  sync_type: "What is synced.",
  rows_reset: "How many syncs were ended.",
  schedule: "How often each type is synced, one row for each.",
  interval_minutes: "Minutes from one sync to the next; null where it is not synced by itself.",
  last_run_at: "When it began last; null for never, or where Temporal does not answer.",
  next_run_at: "When it begins next; null where it is off, or Temporal does not answer.",
  refused_records: "Records that could not be written, the newest first.",
  error_message: "Why it was refused, in words.",
  attempts: "How often it was tried.",
  first_refused_at: "When it was refused for the first time.",
  last_refused_at: "When it was tried last.",
};
