import { Badge } from "@mantine/core";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/inbox.js";
import { useInbox } from "./use-inbox.js";

/** How many entries the inbox has, beside its name in the navigation. */
export function InboxCount() {
  // Every page asks for it: of the entries it needs none.
  const total = useInbox(undefined, 1).data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Badge variant="filled" color="red.9" aria-label={t("waitingCount", { count: number(total) })}>
      {number(total)}
    </Badge>
  );
}
