import type { Published } from "./figures.js";
import { chapter, markdownTable, number } from "./markdown.js";

const COMMAND = "npm run simulate -- --faults --minutes 60 --report docs/figures/simulation.json";

/** The last report of seeds with faults. */
export const simulation = ({ simulation }: Published): string =>
  chapter(
    simulation,
    COMMAND,
    ({ seed, held, hours, speed, failed, orders_in, orders_shipped, again, faults, ...it }) => [
      `Each day takes ${number(hours)} h of simulated time, ${number(speed)} h of which pass in a real one, and has a
service of its own whose parts fail as its seed wants it ([what happens in them](simulate.md#faults)). There were
${number(held)} from seed ${seed} on that held, with ${number(orders_in)} orders in, ${number(orders_shipped)} shipped,
and ${number(again)} requests that had to be sent again. ${
        failed ? `**Seed ${failed.seed} failed**: \`${failed.command}\` repeats it.` : "None failed."
      }`,
      markdownTable(["Fault", "happened"], Object.entries(faults)),
      "What held at the end of each day:",
      it.invariants.map((name) => `- ${name}`).join("\n"),
    ],
  );
