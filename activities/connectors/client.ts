import { setTimeout as pause } from "node:timers/promises";
import {
  type Source,
  type SourceAnswer,
  SourceAway,
  SourceError,
  SourceMisconfigured,
  type SourceRequest,
} from "../../src/connectors/connector.js";
import { answerOf, refusalOf } from "../../src/connectors/http/answer.js";
import { type Asked, ask, DestinationBlocked } from "../../src/connectors/http/ask.js";
import { cleaned } from "../../src/connectors/http/clean.js";
import { type JsonLimits, PAGE_LIMITS } from "../../src/connectors/http/json.js";
import { askedWait, LONGEST_REPEAT_MS, paceOf, retryWait } from "../../src/connectors/http/waits.js";
import { failureOf } from "../../src/outbound/wire/exchange.js";
import type { Config } from "../../src/platform/config/config.js";
import { together } from "../../src/platform/db/db.js";
import { Circuit } from "./circuit.js";
import { Rate } from "./rate.js";

/** How services outside are asked: the shops and ERPs of connectors, and carriers. */

export type AskingOptions = Pick<
  Config<"worker">,
  "allowInternalConnectors" | "connectorHttpTimeoutMs" | "connectorBackoffMs" | "connectorCircuitOpenMs"
> & {
  /** Used instead of this machine's name servers. */
  nameServers?: string[];
};

/** Whom to ask, and what may not be said about it. */
export interface Asks {
  /** The name that its circuit and its request rate are kept under, for a warehouse. */
  name: string;
  warehouseId: number;
  /** Values of the configuration, which are in no text that people see. */
  secrets: string[];
  /** Refuses a request that is not to be made. */
  check?(request: SourceRequest): void;
}

/** What asks: without a configuration, which its caller has checked. */
export interface Client extends Omit<Source<never>, "config"> {
  /** A text, such as an error message, without any of the secrets, so that people may see it. */
  cleaned(text: string): string;
}

/** How often a request is made that is answered 429 or 503 (docs/interface.md, Connectors). */
const ATTEMPTS = 3;

/**
 * Opens a client for a service, with its circuit breaker and its request rate.
 * @param signal Aborts its requests and waits at once, with the signal's reason.
 * @param limits For the JSON of its answers.
 */
export async function openClient(
  { name, warehouseId, secrets, check }: Asks,
  options: AskingOptions,
  signal?: AbortSignal,
  limits: JsonLimits = PAGE_LIMITS,
): Promise<Client> {
  const { connectorHttpTimeoutMs: timeoutMs, connectorCircuitOpenMs: openMs } = options;
  const [circuit, rate] = await together((sql) => [
    Circuit.of(sql, name, warehouseId, { openMs, requestMs: timeoutMs }),
    Rate.of(sql, name, warehouseId),
  ]);
  const clean = (text: string, { headers = {} }: Partial<SourceRequest> = {}) =>
    cleaned(text, [...secrets, ...texts(headers).flatMap((value) => value.split(" "))]);
  const asking = {
    allowInternal: options.allowInternalConnectors,
    timeoutMs,
    signal,
    nameServers: options.nameServers,
  };

  async function attempt(request: SourceRequest): Promise<Asked> {
    await rate.turn(signal);
    const trial = await circuit.enter();
    const asked = await ask(request, asking).catch(async (error: unknown) => {
      const saysNothing = signal?.aborted || error instanceof SourceError;
      await (saysNothing ? circuit.undecided(trial) : circuit.failed(trial));
      throw saysNothing ? error : new SourceAway(failureOf(error).detail, null, circuit.waitMs);
    });
    await (asked.status >= 500 ? circuit.failed(trial) : circuit.succeeded());
    await rate.saw(paceOf(asked.status, asked.headers, options.connectorBackoffMs));
    return asked;
  }

  async function persist(request: SourceRequest): Promise<SourceAnswer> {
    check?.(request);
    for (let repeat = 0; ; repeat++) {
      const asked = await attempt(request);
      if (asked.status >= 200 && asked.status < 300) return answerOf(asked, limits);
      if (request.answered?.includes(asked.status)) return answerOf(asked, limits);
      if (circuit.isOpen) throw new SourceAway(refusalOf(asked).message, asked.status, circuit.waitMs);
      const mayPass = asked.status === 429 || asked.status === 503;
      const putOff = (askedWait(asked.headers["retry-after"]) ?? 0) > LONGEST_REPEAT_MS;
      if (!mayPass || putOff || repeat + 1 === ATTEMPTS) throw refusalOf(asked);
      await pause(retryWait(asked.headers["retry-after"], repeat, options.connectorBackoffMs), undefined, { signal });
    }
  }

  return {
    cleaned: clean,
    pause: (ms) => pause(ms, undefined, { signal }),
    request: async (request) => {
      try {
        return await persist(request);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (!(error instanceof SourceError)) throw error;
        // A new error, because the stack of this one repeats its message.
        const said = clean(error.message, request);
        if (error instanceof SourceAway) throw new SourceAway(said, error.status, error.wait_ms);
        const kinds = [DestinationBlocked, SourceMisconfigured, SourceError];
        throw new (kinds.find((kind) => error instanceof kind) ?? SourceError)(said, error.status);
      }
    },
  };
}

/** Those of its values that are texts. */
export const texts = (values: Record<string, unknown>): string[] =>
  Object.values(values).filter((value) => typeof value === "string");
