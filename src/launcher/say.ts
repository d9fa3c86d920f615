/** Tells the person at the terminal one line. */
export type Say = (line: string) => void;

/** Clears what `progress` left on a terminal's line. */
const fresh = () => (process.stdout.isTTY ? "\r\x1b[K" : "");

export const say: Say = (line) => {
  process.stdout.write(`${fresh()}${line}\n`);
};

const MB = 1_000_000;
const LINE_EVERY = 10 * MB;

/** Shows how far a download is: one line that changes on a terminal, elsewhere a line each 10 MB. */
export function progress(what: string, total: number): (bytes: number) => void {
  let shown = 0;
  return (bytes) => {
    const step = process.stdout.isTTY ? MB / 4 : LINE_EVERY;
    const last = shown > 0 && bytes === total;
    if (bytes - shown < step && !last) return;
    shown = bytes;
    const text = `  ${what}: ${Math.round(bytes / MB)}${total ? ` of ${Math.round(total / MB)}` : ""} MB`;
    process.stdout.write(process.stdout.isTTY ? fresh() + text : `${text}\n`);
  };
}
