import { language } from "../shared/language.js";

/** What the service says of a request that failed, and how it is said in German. */
const inGerman: [RegExp, string][] = [
  [/The source answered with HTTP status (\d+)/, "Die Quelle antwortete mit HTTP-Status $1"],
  [/HTTP status (\d+)/, "HTTP-Status $1"],
];

/** Why a request to another system failed; what has no text in a language is shown as the service says it. */
export const faultText = (fault: string | null | undefined): string | null | undefined =>
  language() === "de" ? inGerman.reduce((text, [said, german]) => text?.replace(said, german), fault) : fault;
