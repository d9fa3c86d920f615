/** The values of a statement: in the order of `$1` and on, or by name where its text says `:name` instead. */
export type Values = readonly unknown[] | Readonly<Record<string, unknown>>;

/** What Postgres reads, with `$1` and on, and the names that stood there. */
export interface Numbered {
  text: string;
  parameters: readonly string[];
}

const arePlaced = (values: Values): values is readonly unknown[] => Array.isArray(values);

/** Neither a cast (`::int`) nor what stands behind a letter or digit, as in a time (`HH24:MI`). */
const PARAMETER = /(?<![:\w]):([a-z]\w*)/gi;

/** A name that stands in the text several times is one parameter. */
export function numbered(text: string, values: Values): Numbered {
  if (arePlaced(values)) return { text, parameters: [] };
  if (/\$\d/.test(text)) throw new Error(`Both names and $n in: ${text.trim().split("\n")[0]}`);
  const parameters = [...new Set(Array.from(text.matchAll(PARAMETER), ([, name = ""]) => name))];
  return { text: text.replace(PARAMETER, (_, name) => `$${parameters.indexOf(name) + 1}`), parameters };
}

/** The values in the order of the text. Others of a record may be there too; one that is missing is not null. */
export function placed({ text, parameters }: Numbered, values: Values): readonly unknown[] {
  if (arePlaced(values)) return values;
  return parameters.map((name) => {
    if (!(name in values)) throw new Error(`No value for :${name} in: ${text.trim().split("\n")[0]}`);
    return values[name];
  });
}
