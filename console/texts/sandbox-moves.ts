import { language } from "../shared/language.js";

/** What the service says was done in a sandbox (workers/sandboxes/moves.ts), and how it is said in German. */
const inGerman: [RegExp, string][] = [
  [/ is expected$/, " wird erwartet"],
  [/ came in$/, " kam herein"],
  [/ is in a wave$/, " ist in einer Welle"],
  [/: (\d+) of (\d+) (\S+) are found$/, ": $1 von $2 $3 sind gefunden"],
  [/: (\d+) (\S+) are picked$/, ": $1 $2 sind gepickt"],
  [/ is picked$/, " ist gepickt"],
  [/ is packed$/, " ist gepackt"],
  [/ is shipped$/, " ist versandt"],
  [/ is cancelled$/, " ist storniert"],
  [/ comes back of (\S+)$/, " kommt von $1 zurück"],
  [/ is received$/, " ist eingegangen"],
  [/^bin (\S+) is counted$/, "Platz $1 ist gezählt"],
  [/ waits: /, " wartet: "],
];

/** What happened last in a sandbox. */
export const moveText = (move: string | null): string | null =>
  language() === "de" ? inGerman.reduce((text, [said, german]) => text?.replace(said, german) ?? null, move) : move;
