import { parseArgs } from "node:util";

export interface Options {
  url: string;
  user: string;
  password: string;
  /** Simulated hours that pass in a real one. */
  speed: number;
  /** Simulated. */
  hours: number;
  seed: number;
  /** Whether it is a long run, with a report now and then. */
  soak: boolean;
}

export const USAGE = `usage: npm run simulate -- --password … [options]

  --url       where the service answers (http://127.0.0.1:8080)
  --user      an ADMIN (admin)
  --password  of that user; SIMULATE_PASSWORD in its place is not seen by others on the machine
  --speed     simulated hours in a real one (60)
  --hours     simulated hours (1), from Monday 09:00
  --seed      a whole number that repeats the choices of a run (1)
  --soak      how long it runs in real time, as 8h or 30m, in place of --hours; with a report every ten minutes`;

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
  const password = values.password ?? env.SIMULATE_PASSWORD;
  if (!password) throw new UsageError("--password is missing");
  if (!URL.canParse(values.url)) throw new UsageError(`--url: ${values.url} is none`);
  const speed = number("speed", values.speed, (value) => value > 0 && value <= 100_000);
  return {
    url: values.url.replace(/\/+$/, ""),
    user: values.user,
    password,
    speed,
    hours: values.soak
      ? realHours(values.soak) * speed
      : number("hours", values.hours, (value) => value > 0 && value <= 10_000),
    seed: number("seed", values.seed, Number.isSafeInteger),
    soak: values.soak !== undefined,
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
        speed: { type: "string", default: "60" },
        hours: { type: "string", default: "1" },
        seed: { type: "string", default: "1" },
        soak: { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
