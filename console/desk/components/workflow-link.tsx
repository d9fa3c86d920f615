import { Anchor } from "@mantine/core";
import { useMe } from "../../shared/session.js";
import { t } from "../../texts/desk.js";

/** Leads to what a schedule has started in the Temporal UI, where one is configured. */
export function RunsLink({ schedule }: { schedule: string }) {
  const { workflows_url } = useMe();
  if (!workflows_url) return null;
  const query = encodeURIComponent(`TemporalScheduledById="${schedule}"`);
  return (
    <Anchor href={`${workflows_url.replace(/\/$/, "")}?query=${query}`} target="_blank" rel="noreferrer" size="sm">
      {t("openRuns")}
    </Anchor>
  );
}

/** Leads to a workflow in the Temporal UI, where one is configured. */
export function WorkflowLink({ id }: { id: string }) {
  const { workflows_url } = useMe();
  if (!workflows_url) return null;
  return (
    <Anchor href={workflows_url + encodeURIComponent(id)} target="_blank" rel="noreferrer">
      {t("openWorkflow")}
    </Anchor>
  );
}
