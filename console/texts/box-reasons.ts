import { nameIn, type Texts } from "./catalogue.js";

/** Why a box is suggested, at the desk and at the scanner. */
const reasons: Texts = {
  holds_most: ["holds most of what is left", "fasst das meiste vom Rest"],
  holds_the_rest: ["is the smallest that holds all that is left", "ist die kleinste, die den ganzen Rest fasst"],
};

export const reasonText = (reason: string): string => nameIn(reasons, reason) ?? reason;
