import { Button, Fieldset, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { day } from "../../shared/format.js";
import { t } from "../../texts/desk.js";

/** Before the name of the field in which a further day is typed. */
const NEXT = "next_";

/** Some days, each of which can be removed, and room for a further one; `chosenDays` has them. */
export function DaysField({ name, label, hint, days }: { name: string; label: string; hint: string; days: string[] }) {
  const [chosen, setChosen] = useState(days);
  const [next, setNext] = useState("");
  const add = () => {
    setChosen([...new Set([...chosen, next])].sort());
    setNext("");
  };
  return (
    <Fieldset legend={label}>
      <input type="hidden" name={name} value={chosen.join(" ")} />
      <Text size="sm" mb="sm">
        {hint}
      </Text>
      <Group gap="xs" mb={chosen.length > 0 ? "sm" : 0}>
        {chosen.map((one) => (
          <Button
            key={one}
            variant="default"
            size="compact-sm"
            rightSection="×"
            aria-label={t("removeDay", { day: day(one) })}
            onClick={() => setChosen(chosen.filter((other) => other !== one))}
          >
            {day(one)}
          </Button>
        ))}
      </Group>
      <Group align="end">
        <TextInput
          name={`${NEXT}${name}`}
          type="date"
          label={t("anotherDay")}
          value={next}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
        <Button variant="default" disabled={next === ""} onClick={add}>
          {t("addDay")}
        </Button>
      </Group>
    </Fieldset>
  );
}

/** The days of such a field, also one that was typed and not added. */
export const chosenDays = (values: Record<string, string>, name: string): string[] =>
  `${values[name] ?? ""} ${values[`${NEXT}${name}`] ?? ""}`.split(" ").filter(Boolean);
