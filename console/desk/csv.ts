/** The file that was chosen in the field with this id. */
export function fileIn(id: string): File {
  const file = (document.querySelector(`input[type=file][name=${id}]`) as HTMLInputElement | null)?.files?.[0];
  if (!file) throw new Error("no file was chosen");
  return file;
}

/** The rows of a CSV file by the names in its first line; commas, semicolons or tabs stand between. */
export async function recordsOf(file: File): Promise<Record<string, string>[]> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  const text = await file.text();
  const [head = ""] = text.split("\n", 1);
  const delimiter = [";", "\t"].find((mark) => head.includes(mark)) ?? ",";
  return parse(text, {
    ...{ bom: true, delimiter, trim: true, skip_empty_lines: true, relax_column_count: true },
    columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
  });
}
