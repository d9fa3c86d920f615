import { CancellationScope } from "@temporalio/workflow";

/**
 * Runs functions one after the other, in the order of the calls, and in the scope of whoever makes this: one that a
 * cancellation of the workflow does not interrupt. Updates call activities at any time: of two local activities that
 * run together, the results may come in one activation of the workflow or in two, and a replay may see the other case.
 * One at a time, the workflow goes on from each result before the next one comes.
 * @param first What is waited for before the first call; it does not reject.
 */
export function oneAtATime(first: Promise<unknown>) {
  const scope = CancellationScope.current();
  let last = first;
  return <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(() => scope.run(run));
    last = next.catch(() => {});
    return next;
  };
}
