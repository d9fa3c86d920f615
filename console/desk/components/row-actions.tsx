import { Group } from "@mantine/core";
import type { ReactNode } from "react";

/** What can be done with a row of a list, on one line. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" wrap="nowrap" justify="end">
    {children}
  </Group>
);
