/** Proving once more who it is, where a request is dangerous: docs/step-up.md. */

/** What the service asks for. */
export interface StepUpAsked {
  /** `password`, the second factors there are, or `provider`. */
  ways: string[];
  challenge?: string;
  /** What a passkey is asked by. */
  passkey?: object;
}

type Ask = (asked: StepUpAsked) => Promise<boolean>;
let ask: Ask | undefined;

/** The page that asks for it from now on; gives how it no longer does. */
export function asksForProof(by: Ask): () => void {
  ask = by;
  return () => {
    if (ask === by) ask = undefined;
  };
}

/** Whether the person proved it. Where no page asks, nobody did. */
export const askForProof: Ask = async (asked) => (await ask?.(asked)) ?? false;
