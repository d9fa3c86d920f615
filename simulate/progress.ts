import type { State } from "./run.js";

const WIDTH = 30;

/** One line that is written again and again on a terminal, and a line every tenth of the way elsewhere. */
export function showProgress({ clock, figures, partner }: State, out: NodeJS.WriteStream): () => void {
  let shown = 0;
  const show = () => {
    const done = Math.round(clock.done * WIDTH);
    const text =
      `${clock.text}  ${figures.of("ordersIn")} in, ${figures.of("ordersPicked")} picked, ` +
      `${figures.of("ordersShipped")} shipped, ${figures.of("shorts")} short` +
      (partner ? `, ${partner.matching.matched} webhooks` : "");
    if (out.isTTY)
      out.write(`\r\x1b[K${"█".repeat(done)}${"░".repeat(WIDTH - done)} ${text}`.slice(0, out.columns + 5));
    else if (clock.done >= shown + 0.1) {
      shown = clock.done;
      out.write(`${Math.round(clock.done * 100)} %  ${text}\n`);
    }
  };
  const timer = setInterval(show, 250);
  return () => {
    clearInterval(timer);
    if (out.isTTY) out.write("\r\x1b[K");
  };
}
