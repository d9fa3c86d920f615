import { transaction } from "../src/platform/db/db.js";
import { mayRunAgain, type Tx } from "./command.js";

/** Thrown to roll back what was written. */
class Undo<T> extends Error {
  constructor(readonly answer: T) {
    super();
  }
}

/** What a command would answer: it runs in a transaction that is rolled back, without audit rows and events. */
export async function undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const nothing = () => {};
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(async (sql) => {
        const tx: Tx = { ...sql, now: new Date().toISOString(), audit: nothing, emit: nothing, atEnd: nothing };
        const answer = await work(tx);
        // Also waits for statements of `tx.later`.
        await tx.run("select");
        throw new Undo(answer);
      });
    } catch (error) {
      if (error instanceof Undo) return error.answer;
      if (!(await mayRunAgain(error, attempt))) throw error;
    }
  }
}
