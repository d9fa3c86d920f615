import { randomInt } from "node:crypto";
import { PREFIX } from "../../platform/barcodes/scan.js";
import { WeakPin } from "../problems.js";

/**
 * Digits alone: a scanner that types them does so under every keyboard layout, and Code 128 has two in a bar. Forty are
 * 132 bits.
 */
const DIGITS = 40;

/** The code of a new badge. It is shown once; only its hash is stored. */
export const newBadgeCode = () => Array.from({ length: DIGITS }, () => randomInt(10)).join("");

/** The code in what a scanner read. */
export const codeIn = (scanned: string) => scanned.trim().replace(PREFIX, "");

/** Throws 400 for a PIN that is among the first guesses: one digit again and again, or digits in a row. */
export function checkPin(pin: string): void {
  const steps = new Set([...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10));
  const [step = 1] = steps;
  if (steps.size > 1) return;
  if (step === 0) throw WeakPin({ why: "all its digits are the same" });
  if (step === 1 || step === 9) throw WeakPin({ why: "its digits follow each other" });
}
