import type { Measured } from "../../src/launcher/measured.js";

export type Cell = string | number;

export const number = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 9 });

/** All columns but the first are numbers. */
export function markdownTable(head: string[], rows: Cell[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => (typeof cell === "number" ? number(cell) : cell)));
  const widths = head.map((_, i) => Math.max(4, ...cells.map((row) => row[i]?.length ?? 0)));
  const padded = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0));
  const line = (row: string[]) => `| ${row.map(padded).join(" | ")} |`;
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(cells[0] ?? []), line(rule), ...cells.slice(1).map(line)].join("\n");
}

const WIDTH = 120;

/** With the lines of its paragraphs as long as those of the other pages. */
export const wrapped = (text: string): string =>
  text
    .split("\n\n")
    .map((block) => (/^[|#-]/.test(block) ? block : linesOf(block).join("\n")))
    .join("\n\n");

function linesOf(paragraph: string): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** When, how and where; other work on the machine makes figures worse than they need be. */
const measuredBy = ({ date, command, machine, load_before }: Measured<unknown>) =>
  `Measured on ${date} by \`${command}\` on ${machine};
${load_before} processes wanted a processor in the minute before.`;

/** A chapter's paragraphs where it was measured, otherwise how that is done. */
export const chapter = <T extends Measured<unknown>>(
  part: T | undefined,
  command: string,
  paragraphs: (figures: T["figures"]) => string[],
): string =>
  part ? [...paragraphs(part.figures), measuredBy(part)].join("\n\n") : `Not measured yet; \`${command}\` does.`;

export const pageOf = (paragraphs: string[]): string => `${wrapped(paragraphs.join("\n\n"))}\n`;
