import { Connection } from "./connection.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** A page of a list: the first time that it is asked for, with its count, and afterwards. Milliseconds. */
export interface ListRow {
  path: string;
  first_ms: number;
  ms: number;
}

interface Parameter {
  name: string;
  schema: { pattern?: string; type?: string; enum?: string[]; items?: { enum?: string[] } };
}

const AGAIN = 2;
/** Parts of what items, orders and bins are called. */
const SOUGHT = ["a", "9", "ar", "99", "art", "Article 77", "zz"];

/** All pages of all lists: the first, the middle and the last one, in each order, by each filter and each search. */
export async function measureLists(
  { port, office }: BenchService,
  printLine: (line: string) => void,
): Promise<ListRow[]> {
  const to = await Connection.open(port);
  const ask = (path: string) => to.ask(`GET ${path as "/"}`, office.token);
  const rows: ListRow[] = [];
  const measure = async (path: string) => {
    const times: number[] = [];
    let answer: { pages?: number } = {};
    for (let i = 0; i <= AGAIN; i++) {
      const begun = performance.now();
      answer = await ask(path);
      times.push(performance.now() - begun);
    }
    const [first = 0, ...again] = times;
    rows.push({ path, first_ms: rounded(first), ms: rounded(again.sort((a, b) => a - b)[0] ?? 0) });
    return answer;
  };
  for (const [path, parameters] of await listsOf(ask)) {
    printLine(`${path}…`);
    const offers = (parameter: string) => parameters.some(({ name }) => name === parameter);
    // Preferred bins come whole where no page is asked for.
    const part = offers("per_page") ? ["per_page=50"] : [];
    const page = (...asked: string[]) => measure(`${path}?${[...part, ...asked].filter(Boolean).join("&")}`);
    const { pages = 1 } = await page();
    // What comes whole is sorted after it was read.
    const sorts = offers("page") ? sortsOf(parameters).flatMap((name) => [`sort=${name}`, `sort=-${name}`]) : [];
    for (const order of ["", ...sorts]) {
      if (order) await page(order);
      if (pages > 1) for (const number of new Set([pages >> 1, pages])) await page(order, `page=${number}`);
    }
    for (const filter of filtersOf(parameters)) await page(filter);
  }
  for (const q of SOUGHT.filter(({ length }) => length > 1)) await measure(`/api/admin/search?q=${encodeURI(q)}`);
  to.close();
  return rows.sort((a, b) => b.first_ms - a.first_ms);
}

interface Document {
  paths: Record<string, { get?: { parameters?: { $ref: string }[] } }>;
  components: { parameters: Record<string, Parameter> };
}

/** Those that can be sorted, but for what belongs to one record. */
async function listsOf(ask: (path: string) => Promise<Document>): Promise<[string, Parameter[]][]> {
  const { paths, components } = await ask("/api/openapi.json");
  const named = ({ $ref }: { $ref: string }) => components.parameters[$ref.split("/").at(-1) ?? ""] as Parameter;
  return Object.entries(paths)
    .map(([path, { get }]): [string, Parameter[]] => [path, get?.parameters?.map(named) ?? []])
    .filter(
      ([path, parameters]) =>
        /^\/api\/(?!partner\/)[^{]*$/.test(path) && parameters.some(({ name }) => name === "sort"),
    );
}

const sortsOf = (parameters: Parameter[]): string[] =>
  /\(([^)]*)\)/.exec(parameters.find(({ name }) => name === "sort")?.schema.pattern ?? "")?.[1]?.split("|") ?? [];

/** Each value of each filter that has few, and what is sought. */
function filtersOf(parameters: Parameter[]): string[] {
  return parameters.flatMap(({ name, schema }) => {
    if (name === "q") return SOUGHT.map((q) => `q=${encodeURI(q)}`);
    if (name === "warehouse_id") return ["warehouse_id=1"];
    if (name === "include_archived" || name === "sort_direction") return [];
    const values = schema.type === "boolean" ? ["true"] : (schema.enum ?? schema.items?.enum ?? []);
    return values.map((value) => `${name}=${value}`);
  });
}
