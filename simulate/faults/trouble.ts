import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.js";
import { randomOf } from "../random.js";
import { slowDisk } from "./disk.js";
import type { Loss } from "./line.js";
import type { OwnService } from "./own-service.js";
import { type Fault, planFaults, type ServiceName, textOf } from "./plan.js";

/** Of requests of clients, and in which ways. */
const LOST = 0.01;
const losses: Loss[] = ["request", "patience", "answer"];
/** How long a load balancer waits for an API. */
const GIVE_UP_MS = 2_000;

/** The faults of a day, as its seed wants them. */
export class Trouble {
  readonly happened: Fault["what"][] = [];

  constructor(
    private readonly service: OwnService,
    private readonly seed: number,
    private readonly say: (line: string) => void,
  ) {}

  /** Lets each fault happen at its time; ends when the last one has passed. */
  async during(clock: Clock): Promise<void> {
    const random = randomOf(this.seed, "faults");
    const lost = randomOf(this.seed, "losses");
    const clients = this.service.line("clients");
    clients.loss = () => (lost.chance(LOST) ? lost.one(losses) : undefined);
    const begin = clock.minute;
    const minutes = clock.endMinute - begin;
    await Promise.all(
      planFaults(random, (clock.hours * 3600) / clock.speed).map(async (fault) => {
        await clock.until(begin + fault.at * minutes);
        if (clock.over) return;
        this.say(`${clock.text}  ${textOf(fault)}`);
        await this.#happen(fault);
        this.happened.push(fault.what);
      }),
    );
    await clock.until(clock.endMinute);
    clients.loss = () => undefined;
  }

  /** Waits until the service has got over all of them. */
  over(): Promise<void> {
    return this.service.ready();
  }

  async #happen(fault: Fault): Promise<void> {
    const { service } = this;
    switch (fault.what) {
      case "kill":
        return service.signal(fault.of, "SIGKILL");
      case "stop":
        return this.#stop(fault.of, fault.seconds * 1000);
      case "step":
        return service.stepClock(fault.of, fault.ms);
      case "cut":
        return service.line(fault.of).cut();
      case "slow":
        return service.line(fault.of).slow(fault.ms, fault.seconds * 1000);
      case "silence":
        return service.line(fault.of).silence(fault.seconds * 1000);
      case "disk":
        return slowDisk(service.databaseUrl, fault.ms, fault.seconds * 1000);
    }
  }

  async #stop(of: ServiceName, ms: number): Promise<void> {
    await this.service.signal(of, "SIGSTOP");
    const before = Math.min(ms, GIVE_UP_MS);
    await pause(before);
    // Whoever waits for it asks the other one.
    if (of === "API 1" || of === "API 2") this.service.giveUp(of);
    await pause(ms - before);
    await this.service.signal(of, "SIGCONT");
  }
}
