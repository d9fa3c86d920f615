import { parseArgs } from "node:util";

/** What a day needs to know. */
export interface DayOptions {
  url: string;
  user: string;
  password: string;
  /** Simulated hours that pass in a real one. */
  speed: number;
  /** Simulated. */
  hours: number;
  seed: number;
  /** Whether the system plans waves and gives pickers the next one; else pickers choose. */
  planned?: boolean;
  /** So many times as many customers order as on a usual day. */
  customers?: number;
}

export interface Options extends DayOptions {
  /** Whether it is a long run, with a report now and then. */
  soak: boolean;
  /** Whether each day has a service of its own, and faults. */
  faults: boolean;
  /** Whether two days are compared, each in a service of its own: pickers choose, and the system plans. */
  both: boolean;
  /** So many days with faults, of a seed each; and none begins after so many minutes. */
  seeds: number;
  minutes: number;
  /** A file for what came of these days. */
  report: string | undefined;
}

export const USAGE = `usage: npm run simulate -- --password … [options]
       npm run simulate -- --both [options]
       npm run simulate -- --faults [options]

  --url       where the service answers (http://127.0.0.1:8080)
  --user      an ADMIN (admin)
  --password  of that user; SIMULATE_PASSWORD in its place is not seen by others on the machine
  --speed     simulated hours in a real one (60; with faults 120)
  --hours     simulated hours (1), from Monday 09:00
  --seed      a whole number that repeats the choices of a run (1)
  --soak      how long it runs in real time, as 8h or 30m, in place of --hours; with a report every ten minutes

  --customers so many times as many of them order (1)
  --planned   the system plans waves and gives pickers the next one; else they choose orders
  --both      two days of the same seed, each in a service of its own: pickers choose, the system plans

  --faults    in a service of its own, whose processes die, hang and lose their connections, as the seed wants it
  --seeds     so many days with faults, from --seed on, until one fails (1)
  --minutes   in place of --seeds: begins new days for so long
  --report    a file for what came of them, as docs/figures/simulation.json, of which npm run pages makes a page`;

/** Of a command line that cannot be run. */
export class UsageError extends Error {}

function number(name: string, text: string, fits: (value: number) => boolean): number {
  const value = Number(text);
  if (text.trim() === "" || !fits(value)) throw new UsageError(`--${name}: ${text} is none`);
  return value;
}

/** Real hours of a text such as 8h or 30m. */
function realHours(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([hm])$/.exec(text) ?? [];
  if (!amount || Number(amount) === 0) throw new UsageError(`--soak: ${text} is no time such as 8h or 30m`);
  return Number(amount) / (unit === "m" ? 60 : 1);
}

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parse(args);
  const { faults, both, planned } = values;
  const password = values.password ?? env.SIMULATE_PASSWORD ?? "";
  if (!password && !faults && !both) throw new UsageError("--password is missing");
  if (both && (faults || planned || values.password || values.soak))
    throw new UsageError("--both has services and days of its own");
  if (faults && (planned || values.password || values.soak))
    throw new UsageError("--faults has a service and days of its own");
  if (!faults && (values.seeds || values.minutes || values.report))
    throw new UsageError("--seeds, --minutes and --report are for --faults");
  if (!URL.canParse(values.url)) throw new UsageError(`--url: ${values.url} is none`);
  const speed = number("speed", values.speed ?? (faults ? "120" : "60"), (value) => value > 0 && value <= 100_000);
  const countOf = (name: "seeds" | "minutes", without: number) =>
    values[name] === undefined ? without : number(name, values[name], (value) => Number.isInteger(value) && value > 0);
  const minutes = countOf("minutes", Number.POSITIVE_INFINITY);
  return {
    url: values.url.replace(/\/+$/, ""),
    user: values.user,
    password,
    speed,
    hours: values.soak
      ? realHours(values.soak) * speed
      : number("hours", values.hours, (value) => value > 0 && value <= 10_000),
    seed: number("seed", values.seed, Number.isSafeInteger),
    customers: number("customers", values.customers, (value) => value > 0 && value <= 100),
    soak: values.soak !== undefined,
    ...{ faults, both, planned },
    seeds: countOf("seeds", values.minutes === undefined ? 1 : Number.POSITIVE_INFINITY),
    minutes,
    report: values.report,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: "string", default: "http://127.0.0.1:8080" },
        user: { type: "string", default: "admin" },
        password: { type: "string" },
        speed: { type: "string" },
        hours: { type: "string", default: "1" },
        seed: { type: "string", default: "1" },
        soak: { type: "string" },
        faults: { type: "boolean", default: false },
        both: { type: "boolean", default: false },
        customers: { type: "string", default: "1" },
        planned: { type: "boolean", default: false },
        seeds: { type: "string" },
        minutes: { type: "string" },
        report: { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
