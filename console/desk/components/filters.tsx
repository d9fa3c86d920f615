import { Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { localTime, momentOf } from "../../shared/format.js";
import { t } from "../../texts/desk.js";
import { optionsOf } from "../values.js";

/** A parameter of a list that a person sets: text to look for, a choice, a day, or a moment. */
export interface Filter {
  name: string;
  label: string;
  /** The values to choose from, and what each is called. */
  choices?: Record<string, string>;
  /** What it is called that none is chosen, where that is not all. */
  unset?: string | undefined;
  isDay?: boolean;
  isMoment?: boolean;
}

interface FiltersProps {
  filters: Filter[];
  values: URLSearchParams;
  set: (name: string, value: string) => void;
}

export const Filters = ({ filters, values, set }: FiltersProps) => (
  <Group gap="sm" align="end" component="search">
    {filters.map(({ name, label, choices, unset = t("all"), isDay, isMoment }) => {
      const value = values.get(name) ?? "";
      if (isMoment)
        return (
          <TextInput
            key={name}
            type="datetime-local"
            label={label}
            value={value && localTime(value)}
            onChange={({ currentTarget }) => set(name, momentOf(currentTarget.value))}
          />
        );
      if (!choices) return <Typed key={name} {...{ label, value, isDay }} set={(text) => set(name, text)} />;
      return (
        <NativeSelect
          key={name}
          label={label}
          value={value}
          onChange={({ currentTarget }) => set(name, currentTarget.value)}
          data={[{ value: "", label: unset }, ...optionsOf(choices)]}
        />
      );
    })}
  </Group>
);

interface TypedProps {
  label: string;
  value: string;
  isDay: boolean | undefined;
  set: (value: string) => void;
}

/** Asks the service when the person pauses, rather than at every key. */
function Typed({ label, value, isDay, set }: TypedProps) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 300);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      type={isDay ? "date" : "search"}
      label={label}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        later(currentTarget.value);
      }}
    />
  );
}
