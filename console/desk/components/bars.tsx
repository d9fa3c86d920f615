import { lazy, Suspense } from "react";
import type { BarsProps } from "./bar-chart.js";
import { Waiting } from "./states.js";

/** The library of charts is loaded with the first chart. */
const Chart = lazy(() => import("./bar-chart.js"));

export const Bars = (props: BarsProps) => (
  <Suspense fallback={<Waiting />}>
    <Chart {...props} />
  </Suspense>
);
