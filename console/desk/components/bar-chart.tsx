import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { useMatches } from "@mantine/core";
import { number } from "../../shared/format.js";

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

const colors = ["blue.6", "orange.6", "grape.6", "teal.6", "red.6", "lime.7"];

/** Beside bars that lie: their names, and behind the longest one its figure. */
const BESIDE_PX = { phone: { names: 116, figure: 40 }, desk: { names: 160, figure: 56 } };

/** Of a bar that lies, with what is between it and the next one. */
const LYING_PX = 32;

function Chart({ title, by, rows, bars, isLying = false }: BarsProps) {
  const beside = useMatches({ base: BESIDE_PX.phone, sm: BESIDE_PX.desk });
  return (
    <figure aria-label={title} style={{ margin: 0 }}>
      <BarChart
        h={isLying ? 80 + rows.length * LYING_PX : 240}
        data={rows}
        dataKey={by}
        orientation={isLying ? "vertical" : "horizontal"}
        withLegend
        {...(isLying && {
          withBarValueLabel: true,
          valueFormatter: number,
          barChartProps: { margin: { right: beside.figure } },
        })}
        // In the order of the bars; by itself a legend is sorted by the alphabet.
        legendProps={{ itemSorter: null }}
        xAxisProps={{ allowDecimals: false }}
        yAxisProps={isLying ? { width: beside.names, interval: 0 } : { allowDecimals: false }}
        series={Object.entries(bars).map(([name, label], place) => ({
          name,
          label,
          color: colors[place % colors.length] ?? "blue.6",
        }))}
      />
    </figure>
  );
}
export default Chart;
