import { parser } from "@prometheus-io/lezer-promql";

/** What a query of Prometheus reads: its metrics, each with the labels that it is selected by. */
export interface Query {
  text: string;
  metrics: { name: string; labels: string[] }[];
  /** Labels that it groups by, of any of its metrics. */
  groupedBy: string[];
}

/** Reads a query, with the grammar of Prometheus itself; throws where that does not fit. */
export function readQuery(text: string): Query {
  const query: Query = { text, metrics: [], groupedBy: [] };
  let inGrouping = false;
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      const word = text.slice(from, to);
      if (type.isError) throw new Error(`at ${from}: ${text}`);
      if (type.name === "VectorSelector") query.metrics.push({ name: "", labels: [] });
      const selected = query.metrics.at(-1);
      if (type.name === "GroupingLabels") inGrouping = true;
      if (type.name === "Identifier" && selected && !selected.name) selected.name = word;
      if (type.name === "LabelName") {
        if (inGrouping) query.groupedBy.push(word);
        else selected?.labels.push(word);
      }
    },
    leave({ type }) {
      if (type.name === "GroupingLabels") inGrouping = false;
    },
  });
  return query;
}
