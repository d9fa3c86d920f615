import { t } from "../../../../texts/day.js";
import { Filters } from "../../../components/filters.js";
import { rangesText } from "./words.js";

interface RangeFiltersProps {
  range: string;
  /** What the address says, and how it is changed. */
  address: URLSearchParams;
  set: Parameters<typeof Filters>[0]["set"];
}

/** Which days are shown. */
export const RangeFilters = ({ range, address, set }: RangeFiltersProps) => (
  <Filters
    filters={[
      { name: "range", label: t("range"), choices: rangesText() },
      ...(range === "custom"
        ? [
            { name: "start", label: t("from"), isDay: true },
            { name: "end", label: t("to"), isDay: true },
          ]
        : []),
    ]}
    values={new URLSearchParams({ ...Object.fromEntries(address), range })}
    set={set}
  />
);
