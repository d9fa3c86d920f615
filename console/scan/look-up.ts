import { useMutation } from "@tanstack/react-query";
import { right, wrong } from "./signals.js";

/** Reads what a scan names; whether it was right or wrong is heard at once. */
export function useLookUp<I, A>(read: (input: I) => Promise<A>, found: (answer: A, input: I) => void) {
  return useMutation({
    mutationFn: read,
    onSuccess: (answer, input) => {
      right();
      found(answer, input);
    },
    onError: wrong,
  });
}
