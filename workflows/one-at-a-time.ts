import { uninterrupted } from "./endings.js";

/**
 * Runs functions one after the other, in the order of the calls; a cancellation of the workflow does not interrupt
 * them. Updates call activities at any time: of two local activities that run together, the results may come in one
 * activation of the workflow or in two, and a replay may see the other case. One at a time, the workflow goes on from
 * each result before the next one comes.
 * @param first What is waited for before the first call; it does not reject.
 */
export function oneAtATime(first: Promise<unknown>) {
  let last = first;
  return <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(() => uninterrupted(run));
    last = next.catch(() => {});
    return next;
  };
}
