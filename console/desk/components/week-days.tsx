import { Checkbox, Group } from "@mantine/core";
import { t } from "../../texts/desk.js";

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const dayName = (day: number) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short" }).format(
    // A Monday, and the days after it.
    new Date(2026, 10, 1 + day),
  );

/** Days of the week in words. */
export const daysText = (days: number[]) => (days.length === 7 ? t("daily") : days.map(dayName).join(" "));

/** A box for each day of the week; `daysIn` has those that were ticked. */
export const WeekDaysField = ({ days = [1, 2, 3, 4, 5] }: { days?: number[] }) => (
  <Group>
    {EVERY_DAY.map((day) => (
      <Checkbox key={day} name={`day_${day}`} value="on" label={dayName(day)} defaultChecked={days.includes(day)} />
    ))}
  </Group>
);

export const daysIn = (values: Record<string, string>) => EVERY_DAY.filter((day) => values[`day_${day}`]);
