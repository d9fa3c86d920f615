import { Group, Progress, Text } from "@mantine/core";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/picking.js";

/** How many tasks are done, as a bar and in numbers. */
export const TaskProgress = ({ done, of }: { done: number; of: number }) => (
  <Group gap="xs" wrap="nowrap" miw={{ base: 0, sm: 160 }}>
    <Progress value={of > 0 ? (100 * done) / of : 0} aria-label={t("progress")} flex={1} miw={40} />
    <Text size="sm" style={{ whiteSpace: "nowrap" }}>
      {t("doneOf", { done: number(done), all: number(of) })}
    </Text>
  </Group>
);
