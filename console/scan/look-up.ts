import { useMutation } from "@tanstack/react-query";
import { right, wrong } from "./signals.js";

/**
 * Reads what a scan names; whether it was right or wrong is heard at once, and what was wrong is shown. Of several
 * items with the code somebody chooses one, which is then taken with the same scan.
 */
export function useLookUp<A>(
  read: (text: string, chosen: number | undefined) => Promise<A>,
  found: (answer: A, text: string) => unknown,
) {
  const { mutateAsync, error, data, variables, reset } = useMutation({
    // Without the net the device may know.
    networkMode: "always",
    mutationFn: ({ text, chosen }: { text: string; chosen?: number | undefined }) => read(text, chosen),
    onSuccess: (answer, { text }) => {
      right();
      return found(answer, text);
    },
    onError: wrong,
  });
  const take = (text: string) => mutateAsync({ text });
  const choose = (chosen: number) => void mutateAsync({ text: variables?.text ?? "", chosen }).catch(() => {});
  return { take, choose, error, data, scanned: variables?.text, reset };
}

/** Whether codes are the same, in capitals or small letters. */
export const isSame = (one: string | null | undefined, other: string): boolean =>
  one?.toUpperCase() === other.toUpperCase();

/** A code without what some scanners put before it to say of which kind it is, such as `]C0`. */
export const plain = (text: string) => text.replace(/^\][A-Za-z][0-9A-Za-z]/, "");
