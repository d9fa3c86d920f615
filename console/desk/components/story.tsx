import { Anchor, Text, Timeline } from "@mantine/core";
import { time } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import { MaybeLink } from "./maybe-link.js";
import { Person } from "./person.js";
import { useRowClock } from "./warehouse.js";

export interface Happening {
  at: string;
  title: string;
  /** Where the title leads. */
  page?: string | undefined;
  /** The username of who did it, or what stands there for the service, and what that is called where it is no user. */
  by?: string | null | undefined;
  by_name?: string | null | undefined;
  detail?: string | undefined;
  /** The address of its workflow in the Temporal UI. */
  workflow?: string | undefined;
  isBad?: boolean;
  /** Where it happened. */
  warehouse_id?: number | null;
}

/** What happened to a record, the newest first. */
export function Story({ of }: { of: Happening[] }) {
  const inClockOf = useRowClock();
  return (
    <Timeline bulletSize={14} lineWidth={2} active={of.length}>
      {of.map(({ at, title, page, by, by_name, detail, workflow, isBad, warehouse_id }, place) => (
        <Timeline.Item
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no state of their own
          key={place}
          title={page ? <MaybeLink to={page}>{title}</MaybeLink> : title}
          {...(isBad && { color: "red" })}
        >
          <Text size="sm" c="dimmed">
            <time dateTime={at}>{inClockOf({ warehouse_id }, () => time(at))}</time>
            {by && (
              <>
                {" · "}
                <Person of={by} name={by_name} />
              </>
            )}
          </Text>
          {detail && <Text size="sm">{detail}</Text>}
          {workflow && (
            <Anchor size="sm" href={workflow} target="_blank" rel="noreferrer">
              {t("openWorkflow")}
            </Anchor>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
