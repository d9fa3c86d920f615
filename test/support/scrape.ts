/** One line of what Prometheus reads. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^(?<name>[a-z_][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/i;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads `/metrics` of a port on this machine. */
export async function scrape(port: number): Promise<Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok) throw new Error(`port ${port} answered ${answer.status}`);
  const lines = (await answer.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const { name = "", labels = "", value = "" } = SAMPLE.exec(line)?.groups ?? {};
    if (!name) throw new Error(`no sample: ${line}`);
    const named = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text]);
    return { name, labels: Object.fromEntries(named), value: Number(value.replace("Inf", "Infinity")) };
  });
}
