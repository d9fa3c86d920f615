import { Button, Group, NativeSelect, Popover, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { day, localTime, momentOf, time } from "../../shared/format.js";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/desk.js";
import { optionsOf } from "../values.js";
import { useWarehouse } from "./warehouse.js";

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

export const Filters = ({ filters, ...of }: FiltersProps) => (
  <Group gap="sm" align="end" component="search">
    {filters.map((filter) => (
      <Field key={filter.name} filter={filter} {...of} />
    ))}
  </Group>
);

/** So many fields are in one line. */
const MOST_FIELDS = 3;

interface ListFiltersProps extends FiltersProps {
  /** Whether the list is of the warehouse that the desk looks at. */
  ofWarehouse: boolean;
}

/** The filters of a list in one line: where there are many, the text to look for, and what else is set as chips. */
export function ListFilters({ filters, ofWarehouse, ...of }: ListFiltersProps) {
  const { warehouses, warehouseId, choose } = useWarehouse();
  const isText = ({ choices, isDay, isMoment }: Filter) => !choices && !isDay && !isMoment;
  const [text] = filters.filter(isText);
  const fields = filters.length > MOST_FIELDS ? filters.filter((filter) => filter === text) : filters;
  const others = filters.filter((filter) => !fields.includes(filter));
  const warehouse = ofWarehouse && warehouses.length > 1 && warehouses.find(({ id }) => id === warehouseId);
  return (
    <Group gap="sm" align="end" component="search">
      {fields.map((filter) => (
        <Field key={filter.name} filter={filter} {...of} />
      ))}
      {warehouse && <Chip label={t("warehouse")} value={warehouse.code} remove={() => choose(undefined)} />}
      {others.map((filter) => {
        const value = of.values.get(filter.name);
        const remove = () => of.set(filter.name, "");
        return value && <Chip key={filter.name} label={filter.label} value={nameOf(filter, value)} remove={remove} />;
      })}
      {others.length > 0 && (
        <Popover position="bottom-start" withinPortal trapFocus returnFocus>
          <Popover.Target>
            <Button variant="default">{t("addFilter")}</Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t("addFilter")}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" maw={480}>
              {others.map((filter) => (
                <Field key={filter.name} filter={filter} {...of} />
              ))}
            </SimpleGrid>
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  );
}

/** A filter that is set; pressed, it is not any more. */
const Chip = ({ label, value, remove }: { label: string; value: string; remove: () => void }) => (
  <Button
    variant="default"
    radius="xl"
    fw={400}
    onClick={remove}
    rightSection={<Icon of="close" size={14} />}
    aria-label={t("removeFilter", { label, value })}
  >
    {t("filterIs", { label, value })}
  </Button>
);

/** What a value of a filter is called. */
const nameOf = ({ choices, isDay, isMoment }: Filter, value: string) =>
  choices?.[value] ?? (isDay ? day(value) : isMoment ? time(value) : value);

interface FieldProps extends Omit<FiltersProps, "filters"> {
  filter: Filter;
}

function Field({ filter: { name, label, choices, unset = t("all"), isDay, isMoment }, values, set }: FieldProps) {
  const value = values.get(name) ?? "";
  if (isMoment)
    return (
      <TextInput
        type="datetime-local"
        label={label}
        value={value && localTime(value)}
        onChange={({ currentTarget }) => set(name, momentOf(currentTarget.value))}
      />
    );
  if (!choices) return <Typed {...{ label, value, isDay }} set={(text) => set(name, text)} />;
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
      data={[{ value: "", label: unset }, ...optionsOf(choices)]}
    />
  );
}

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
