import { useMutation } from "@tanstack/react-query";
import { Refusal } from "../../client/src/index.js";
import type { Scanned } from "../shared/gs1.js";
import { right, wrong } from "./signals.js";

/** The newest code, if fingers typed it; that of a scanner is as it should be. */
let typed: string | undefined;
export function noteTyped(code: string | undefined): void {
  typed = code;
}

/**
 * Reads what a scan names; whether it was right or wrong is heard at once. Codes have capitals, which fingers spare
 * themselves: what they typed and nobody knows is read once more in capitals.
 */
export function useLookUp<I extends string | Scanned, A>(
  read: (input: I) => Promise<A>,
  found: (answer: A, input: I) => void,
) {
  return useMutation({
    mutationFn: (input: I) =>
      read(input).catch((error) => {
        const code = typeof input === "string" ? input : input.code;
        const capitals = code.toUpperCase();
        const isUnknown = error instanceof Refusal && error.status === 404;
        if (!isUnknown || code !== typed || code === capitals) throw error;
        return read((typeof input === "string" ? capitals : { ...(input as Scanned), code: capitals }) as I);
      }),
    onSuccess: (answer, input) => {
      right();
      found(answer, input);
    },
    onError: wrong,
  });
}
