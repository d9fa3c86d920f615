import { Badge, Box, Button, Group, NativeSelect, Text } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { Api } from "../../../../shared/api.js";
import { useAction } from "../../../../shared/api.js";
import { day, number } from "../../../../shared/format.js";
import { useMe } from "../../../../shared/session.js";
import { faultText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/inbox.js";
import { reasonName } from "../../../../texts/reasons.js";
import { statusText } from "../../../../texts/statuses.js";
import type { BulkAction } from "../../../components/bulk-action.js";
import { Decision } from "../../../components/decision.js";
import { Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { person } from "../../../components/person.js";
import { RowActions } from "../../../components/row-actions.js";
import { SelectableTable } from "../../../components/selection-bar.js";
import { Empty, Loaded, Refused } from "../../../components/states.js";
import { WAREHOUSE } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { useWarehouseNames } from "../../../components/warehouse-names.js";
import { optionsOf } from "../../../values.js";
import { AlertsSwitch } from "./inbox-alerts.js";
import { nextSteps } from "./next-steps.js";
import { type Entry, type Kind, kinds, type Part } from "./places.js";
import { useInbox } from "./use-inbox.js";

/** What needs a person now, whatever it is, with the page on which it is settled. */
export default function InboxPage() {
  const [address, setAddress] = useSearchParams();
  const asked = address.get("show");
  const show = asked === "mine" || asked === "snoozed" ? asked : undefined;
  const found = useInbox(show);
  return (
    <Page
      title={t("inbox")}
      actions={
        <>
          <AlertsSwitch />
          <NativeSelect
            aria-label={t("show")}
            value={show ?? ""}
            onChange={({ currentTarget: { value } }) => setAddress(value ? { show: value } : {})}
            data={optionsOf({ "": t("waiting"), mine: t("mine"), snoozed: t("snoozed") })}
          />
        </>
      }
    >
      <Loaded of={found}>
        {({ total, parts }) => (
          <>
            {total === 0 && <Empty title={t("nothing")} text={show ? "" : t("nothingHint")} />}
            {parts.map((part) => (
              // One that is empty by now stays: what became of its last entries may still be told.
              <Box key={part.kind} hidden={part.total === 0}>
                <PartOfInbox {...part} />
              </Box>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function PartOfInbox({ kind, total, entries }: Part) {
  const codes = useWarehouseNames();
  const { title, named, isPerson, page } = kinds[kind];
  const rows = entries.map((entry) => ({ ...entry, [WAREHOUSE]: entry.warehouse_id && codes[entry.warehouse_id] }));
  return (
    <Section title={title()} actions={<Badge color="gray">{number(total)}</Badge>}>
      <SelectableTable
        title={title()}
        rows={rows}
        bulk={{ id: "record_id", name: "label", actions: markMany(kind) }}
        to={page}
        columns={[
          { field: "label", title: t("what") },
          ...(named
            ? [{ field: "name", title: named(), show: ({ name }: Entry) => (isPerson ? person(name) : name) }]
            : []),
          warehouseColumn(),
          { field: "reason", title: t("why"), show: (entry) => whyOf(kind, entry) },
          { field: "since", title: t("since"), as: "time" },
          // Where nobody has taken one, the reasons have its room.
          ...(entries.some(({ taken_by }) => taken_by)
            ? [{ field: "taken_by", title: t("taken"), as: "person" } as const]
            : []),
          { field: "actions", title: t("actions"), show: (entry) => <Actions kind={kind} entry={entry} /> },
        ]}
      />
      {entries.length < total && (
        <Text size="sm" c="dimmed">
          {t("more", { shown: number(entries.length), total: number(total) })}
        </Text>
      )}
    </Section>
  );
}

/** The reason, in words where there are some, and what else tells how bad it is. */
const whyOf = (kind: Kind, { reason, detail, units, due }: Entry) =>
  [
    reason && (kinds[kind].reason?.(reason) ?? reasonName(reason) ?? statusText(reason).replaceAll("_", " ")),
    detail && (kinds[kind].detail ?? faultText)(detail),
    units !== null && t("units", { units: number(units) }),
    due && t("due", { day: day(due) }),
  ]
    .filter(Boolean)
    .join(" · ");

const HOURS: Record<string, () => string> = {
  1: () => t("hour"),
  24: () => t("tomorrow"),
  72: () => t("threeDays"),
  168: () => t("week"),
};
const HOUR_MS = 3_600_000;
const inHours = (hours: string | undefined) => new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();

const HoursField = () => (
  <NativeSelect
    name="hours"
    label={t("putOffUntil")}
    defaultValue="24"
    data={Object.entries(HOURS).map(([value, label]) => ({ value, label: label() }))}
  />
);

type Said = { taken?: boolean; snoozed_until?: string | null };
const mark = (kind: Kind, record_id: Entry["record_id"], said: Said, api: Api) =>
  api.put("/api/admin/inbox/mark", { body: { kind, record_id, ...said } });

/** What can be done with many entries at once. */
const markMany = (kind: Kind): BulkAction<Entry>[] => [
  {
    label: t("take"),
    each: ({ record_id }, _, api) => mark(kind, record_id, { taken: true }, api),
    undo: ({ record_id }, api) => mark(kind, record_id, { taken: false }, api),
  },
  {
    label: t("putOff"),
    fields: <HoursField />,
    each: ({ record_id }, { hours }, api) => mark(kind, record_id, { snoozed_until: inHours(hours) }, api),
    undo: ({ record_id, snoozed_until }, api) => mark(kind, record_id, { snoozed_until }, api),
  },
];

function Actions({ kind, entry }: { kind: Kind; entry: Entry }) {
  const { record_id, label, taken_by, snoozed_until } = entry;
  const me = useMe();
  const isMine = taken_by === me.username;
  const say = (said: Said, api: Api) => mark(kind, record_id, said, api);
  const action = useAction(say);
  return (
    <RowActions>
      <Refused error={action.error} />
      <Group gap="xs" wrap="nowrap">
        {nextSteps[kind](entry, me)}
        <Button
          size="xs"
          variant="default"
          loading={action.isPending}
          onClick={() => action.mutate({ taken: !isMine })}
        >
          {isMine ? t("giveBack") : t("take")}
        </Button>
        {snoozed_until ? (
          <Button size="xs" variant="default" onClick={() => action.mutate({ snoozed_until: null })}>
            {t("showAgain")}
          </Button>
        ) : (
          <Decision
            isSmall
            label={t("putOff")}
            title={t("putOffTitle", { label })}
            act={({ hours }, api) => say({ snoozed_until: inHours(hours) }, api)}
          >
            <HoursField />
          </Decision>
        )}
      </Group>
    </RowActions>
  );
}
