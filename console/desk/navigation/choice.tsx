import { Combobox, Text } from "@mantine/core";

interface ChoiceProps {
  to: string;
  title: string;
  beside?: string | null | undefined;
}

/** Something that the palette leads to. */
export const Choice = ({ to, title, beside }: ChoiceProps) => (
  <Combobox.Option value={to}>
    <Text size="sm" fw={600} span>
      {title}
    </Text>{" "}
    <Text size="sm" span>
      {beside}
    </Text>
  </Combobox.Option>
);
