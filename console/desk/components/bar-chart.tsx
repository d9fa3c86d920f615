import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { BarsProps } from "./bars.js";

const colors = ["blue.6", "orange.6", "grape.6", "teal.6", "red.6", "lime.7"];

const Chart = ({ title, by, rows, bars }: BarsProps) => (
  <figure aria-label={title} style={{ margin: 0 }}>
    <BarChart
      h={240}
      data={rows}
      dataKey={by}
      withLegend
      // In the order of the bars; by itself a legend is sorted by the alphabet.
      legendProps={{ itemSorter: null }}
      yAxisProps={{ allowDecimals: false }}
      series={Object.entries(bars).map(([name, label], place) => ({
        name,
        label,
        color: colors[place % colors.length] ?? "blue.6",
      }))}
    />
  </figure>
);
export default Chart;
