import { Checkbox, Fieldset, SimpleGrid } from "@mantine/core";

interface ChoicesProps {
  name: string;
  label: string;
  /** The values to choose from, and what each is called. */
  choices: Record<string, string>;
  chosen?: readonly (string | number)[];
}

/** Any number of values of a field of a form; `chosenOf` reads them. */
export const Choices = ({ name, label, choices, chosen = [] }: ChoicesProps) => (
  <Fieldset legend={label}>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      {Object.entries(choices).map(([value, text]) => (
        <Checkbox
          key={value}
          name={`${name}:${value}`}
          label={text}
          defaultChecked={chosen.some((one) => String(one) === value)}
        />
      ))}
    </SimpleGrid>
  </Fieldset>
);

export const chosenOf = (values: Record<string, string>, name: string): string[] =>
  Object.keys(values).flatMap((key) => (key.startsWith(`${name}:`) ? [key.slice(name.length + 1)] : []));
