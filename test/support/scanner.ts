import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer, Caller } from "./caller.js";
import { patient } from "./machine-speed.js";

/** A request that changed something, and what it was answered. */
export interface Accepted {
  path: string;
  key: string;
  body: object;
  answer: Answer["body"];
}

const ANSWERED_WITHIN_MS = patient(90_000);
const ASK_AGAIN_MS = 100;

/** A scanner on bad wifi: asks again, under the same key, until it is answered. A refusal is an error. */
export class Scanner {
  readonly accepted: Accepted[] = [];
  /** Requests sent, those without an answer too. */
  asked = 0;

  constructor(readonly caller: Caller) {}

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever it is
  async get(path: string): Promise<any> {
    return (await this.#persist("GET", path)).body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever it is
  async post(path: string, body: object): Promise<any> {
    const key = randomUUID();
    const { body: answer } = await this.#persist("POST", path, body, key);
    this.accepted.push({ path, key, body, answer });
    return answer;
  }

  /** Sends an accepted request again. */
  async repeat({ path, key, body }: Accepted): Promise<Answer["body"]> {
    return (await this.#persist("POST", path, body, key)).body;
  }

  async #persist(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    const caller = this.caller.with(key ? { "idempotency-key": key } : {});
    const deadline = Date.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      this.asked++;
      const answer = await caller
        .call(method, path, body)
        .catch((error: Error) => ({ status: 0, body: `${error.cause ?? error}` }) as Answer);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const told = `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`;
      if (answer.status !== 0 && answer.status !== 503) throw new Error(told);
      if (Date.now() > deadline) throw new Error(`never answered: ${told}`);
      await pause(ASK_AGAIN_MS);
    }
  }
}
