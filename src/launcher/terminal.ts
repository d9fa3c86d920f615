/** Prints a line. */
export type PrintLine = (line: string) => void;

const CLEAR_LINE = "\r\x1b[K";

/** On a terminal, clears the line that `progress` wrote. */
const clearLine = () => (process.stdout.isTTY ? CLEAR_LINE : "");

export const printLine: PrintLine = (line) => {
  process.stdout.write(`${clearLine()}${line}\n`);
};

const MB = 1_000_000;
const LINE_EVERY = 10 * MB;

/**
 * Shows the progress of a download: on a terminal in one line that is updated, elsewhere with a line every 10 MB. On
 * stderr, because a program may read stdout.
 */
export function progress(what: string, total: number): (bytes: number) => void {
  let shown = 0;
  return (bytes) => {
    const { isTTY } = process.stderr;
    const step = isTTY ? MB / 4 : LINE_EVERY;
    const last = shown > 0 && bytes === total;
    if (bytes - shown < step && !last) return;
    shown = bytes;
    const text = `  ${what}: ${Math.round(bytes / MB)}${total ? ` of ${Math.round(total / MB)}` : ""} MB`;
    process.stderr.write(isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
  };
}
