import { Group, Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { NOTHING } from "../../shared/format.js";
import { WithinPart } from "./states.js";

/** A titled part of a page, and what can be done with it. */
export const Section = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <Paper component="section" withBorder p="md">
    <Group justify="space-between" mb="sm" gap="sm">
      <Title order={2} size="h5">
        {title}
      </Title>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
    <WithinPart value={true}>{children}</WithinPart>
  </Paper>
);

/** The fields of a record: `<Facts of={[[t("sku"), item.sku], …]} />`. */
export const Facts = ({ of }: { of: [label: string, value: ReactNode][] }) => (
  <SimpleGrid
    component="dl"
    className="facts"
    cols={{ base: 2, sm: 3, lg: 4 }}
    m={0}
    spacing={{ base: "sm", sm: "lg" }}
    verticalSpacing="sm"
  >
    {of.map(([label, value]) => (
      <div key={label}>
        <Text component="dt" fz={{ base: "xs", sm: "sm" }} c="dimmed" style={{ hyphens: "auto" }}>
          {label}
        </Text>
        <Text component="dd" m={0} style={{ overflowWrap: "anywhere" }}>
          {value || value === 0 ? value : NOTHING}
        </Text>
      </div>
    ))}
  </SimpleGrid>
);

/** Numbers of orders and their like in a row, none of them broken at its dashes. */
export const codes = (of: readonly string[]): ReactNode =>
  of.map((code, place) => (
    <Fragment key={code}>
      {place > 0 && ", "}
      <Text span inherit style={{ whiteSpace: "nowrap" }}>
        {code}
      </Text>
    </Fragment>
  ));

/** Several things in the place of one, with points between those that are there. */
export const inOneLine = (...parts: ReactNode[]): ReactNode =>
  parts.filter(Boolean).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no state of their own
    <Fragment key={place}>
      {place > 0 && " · "}
      {part}
    </Fragment>
  ));
