import { lazy, Suspense } from "react";
import { Waiting } from "./states.js";

/** The library of charts is loaded with the first chart. */
const Chart = lazy(() => import("./bar-chart.js"));

export interface BarsProps {
  title: string;
  /** The field of the rows that stands beside the bars. */
  by: string;
  /** Whether the bars lie, one below the other: where names stand beside them, which are long. */
  isLying?: boolean;
  rows: Record<string, string | number>[];
  /** The fields that are bars, and what they are called. */
  bars: Record<string, string>;
}

export const Bars = (props: BarsProps) => (
  <Suspense fallback={<Waiting />}>
    <Chart {...props} />
  </Suspense>
);
