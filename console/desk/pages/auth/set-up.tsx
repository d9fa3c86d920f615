import { Box, Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface SetUpProps {
  /** That there is nothing yet. */
  hint: string;
  /** What the button says that begins. */
  label: string;
  children: (close: () => void) => ReactNode;
}

/** What is set up in several steps, in its place on the page. */
export function SetUp({ hint, label, children }: SetUpProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Box maw={420}>{children(() => setOpen(false))}</Box>;
  return (
    <>
      <Text size="sm" mb="sm">
        {hint}
      </Text>
      <Button variant="default" w="fit-content" onClick={() => setOpen(true)}>
        {label}
      </Button>
    </>
  );
}
