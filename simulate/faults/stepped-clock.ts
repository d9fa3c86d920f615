import { readFileSync } from "node:fs";

/**
 * Preloaded into APIs and workers: on SIGUSR2 their code reads another time from `Date`, as many milliseconds away from
 * the right one as the file says whose name is in SIMULATED_CLOCK; a process that is started again goes on with it.
 */
let ms = 0;
const read = () => {
  try {
    ms = Number(readFileSync(process.env.SIMULATED_CLOCK as string, "utf8"));
  } catch {
    // It has not been stepped.
  }
};
read();
process.on("SIGUSR2", read);

const RealDate = Date;
const now = () => RealDate.now() + ms;
globalThis.Date = new Proxy(RealDate, {
  construct: (real, given, made) => Reflect.construct(real, given.length > 0 ? given : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
});
