import { setTimeout as pause } from "node:timers/promises";
import { asAnswered } from "./check/as-answered.js";
import { EventReader } from "./check/event-reader.js";
import { checkInvariants, type Invariant } from "./check/invariants.js";
import { Model } from "./check/model.js";
import { ordersByStatus, type Picture, salesOf, takePicture } from "./check/picture.js";
import { hear } from "./check/rules.js";
import { Told } from "./check/told.js";
import { Clock } from "./clock.js";
import { counterOrigin, type Day, shopOrigin } from "./day.js";
import { Figures } from "./figures.js";
import { Caller, logIn } from "./http/caller.js";
import { Measure } from "./http/measure.js";
import type { DayOptions } from "./options.js";
import { backorderDesk } from "./people/backorder-desk.js";
import { connectorSync } from "./people/connector-sync.js";
import { counter } from "./people/counter.js";
import { counting } from "./people/counting.js";
import { office } from "./people/office.js";
import { packer } from "./people/packers.js";
import { Partner } from "./people/partner.js";
import { picker } from "./people/pickers.js";
import { planner } from "./people/planner.js";
import { putAway, receiver } from "./people/receiver.js";
import { refunds } from "./people/refunds.js";
import { returnsDesk } from "./people/returns-desk.js";
import { shipper } from "./people/shipper.js";
import { shop } from "./people/shop.js";
import { station } from "./people/station.js";
import { tidying } from "./people/tidying.js";
import { randomOf } from "./random.js";
import { setUp } from "./site/setup.js";
import { issueTokens, type Tokens } from "./site/tokens.js";

/** How a run stands, or stood at its end. */
export interface State {
  seed: number;
  clock: Clock;
  figures: Figures;
  measure: Measure;
  partner?: Partner;
}

export interface Outcome extends State {
  /** In milliseconds, of the real time. */
  endedAt: number;
  after: Picture;
  invariants: Invariant[];
}

export interface Listener {
  say(line: string): void;
  /** The day begins. */
  began(state: State): void;
  /** Called when everybody has gone home, before all is read back. */
  ended?(): Promise<void>;
}

/** How long a partner's last events may take after an outage: the delay of the sixth attempt, and some more. */
const DRAIN_MS = 360_000;

/** What happens to a service while a day passes, whose warehouses nobody else uses. */
export interface Adversity {
  /** Others write events in their warehouses, whose numbers are missing in those of the day. */
  besideOthers?: boolean;
  /** Ends when all of it has passed. */
  during(clock: Clock): Promise<void>;
  /** Waits until the service has got over it. */
  over(): Promise<void>;
}

/** How often a request is sent, about a second apart, when the service may be away for a while. */
const TRIES_IN_ADVERSITY = 150;

/** Simulates a day against a running service and reads back what became of it. */
export async function simulate(options: DayOptions, listener: Listener, adversity?: Adversity): Promise<Outcome> {
  const measure = new Measure();
  const nobody = new Caller(options.url, measure, {}, undefined, adversity && TRIES_IN_ADVERSITY);
  listener.say("Setting up the simulated warehouses…");
  const site = await setUp(await logIn(nobody, options.user, options.password));
  // Unique, so that numbers and names of a repeated run are new; in a new service it repeats them, too.
  const run = adversity ? `S${options.seed}` : Date.now().toString(36).toUpperCase();
  const tokens = await issueTokens(site, run);
  const opened = await Partner.open(site);
  const partner = typeof opened === "string" ? undefined : opened;
  if (!partner) listener.say(`No partner's webhooks: the service runs without ${opened}.`);
  const before = await takePicture(site, tokens.snapshots);
  partner?.begin(before.eventId);
  const told = new Told();
  const events = new EventReader(tokens.poller, before.eventId, partner?.matching, adversity && told);
  events.start();

  const clock = new Clock(options.speed, options.hours);
  const figures = new Figures();
  const { planned = false, customers = 1 } = options;
  const day: Day = { site, clock, figures, run, planned, customers, random: (name) => randomOf(options.seed, name) };
  const state: State = { seed: options.seed, clock, figures, measure, partner };
  const model = new Model(site);
  // A model remembers all orders: of a day, not of weeks.
  if (adversity) measure.heard = hear(model);
  listener.began(state);
  const works = [...everybody(day, tokens), ...(partner ? [partner.outage(day)] : [])];
  if (adversity) works.push(adversity.during(clock));
  await Promise.all(works.map((work) => work.catch((error) => measure.surprise(String(error)))));
  const endedAt = Date.now();
  measure.heard = undefined;
  await adversity?.over();
  await listener.ended?.();

  listener.say("Reading everything back…");
  const after = await takePicture(site, tokens.snapshots);
  await events.readUpTo(after.eventId);
  if (partner) await drained(partner);
  const invariants = checkInvariants({
    ...{ before, after, moved: events.moved, outOfOrder: events.outOfOrder },
    shippedTwice: events.shipments.faults,
    ...(await salesOf(site, counterOrigin(day))),
    refunds: figures.of("refunds"),
    ordersIn: figures.of("ordersIn"),
    orders: await ordersByStatus(site, shopOrigin(day), "sale"),
    backordersOpened: figures.of("backorders"),
    backorders: await ordersByStatus(site, shopOrigin(day), "backorder"),
    partner: partner?.matching,
    unsigned: partner?.unsigned ?? 0,
  });
  const read = { site, model, told, events, before, after, counterOrigin: counterOrigin(day) };
  if (adversity) invariants.push(...(await asAnswered(read, adversity.besideOthers ?? false)));
  await partner?.close();
  await tokens.remove();
  return { ...state, endedAt, after, invariants };
}

function everybody(day: Day, tokens: Tokens): Promise<void>[] {
  const { houses } = day.site;
  return [
    ...[shop(day), office(day), connectorSync(day)],
    ...[counter(day, houses[0], tokens.till), refunds(day, houses[0], tokens.till)],
    ...houses.flatMap((house) => {
      const { code, people } = house;
      const random = (job: string) => day.random(`${code} ${job}`);
      return [
        ...people.pickers.map((by, n) => picker(day, house, by, random(`picker ${n}`))),
        ...(day.planned ? [planner(day, house, random("planner"))] : []),
        ...people.packers.map((by, n) => packer(day, house, by, random(`packer ${n}`))),
        station(day, house, tokens.station, random("station")),
        ...[shipper(day, house, random("shipper")), returnsDesk(day, house, random("returns"))],
        ...[receiver(day, house, random("receiver")), putAway(day, house, random("put-away"))],
        tidying(day, house, random("tidying")),
        ...[counting(day, house, random("counting")), backorderDesk(day, house, random("backorders"))],
      ];
    }),
  ];
}

async function drained({ matching }: Partner): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (matching.missing > 0 && performance.now() < until) await pause(100);
}
