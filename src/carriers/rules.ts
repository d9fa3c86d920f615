import { Decimal } from "decimal.js";
import type { Rate } from "./carrier.js";

/** Which service a parcel goes by, and why. Pure. */

/** A rule as it decides: what it is for, and what it takes. */
export interface Rule {
  rule_name: string;
  ship_method: string | null;
  min_weight_lbs: string | null;
  max_weight_lbs: string | null;
  countries: string[];
  hazardous: boolean | null;
  account_id: number | null;
  carrier: string | null;
  service: string | null;
  within_days: number | null;
}

/** What rules look at. */
export interface Facts {
  ship_method: string | null;
  weight_lbs: string;
  country: string;
  hazardous: boolean;
}

/** A rate of one of the accounts. */
export interface AccountRate extends Rate {
  account_id: number;
  remote_id: string | null;
}

/** What somebody asked for, in place of what rules say. */
export type Wanted = Partial<Record<"carrier" | "service", string | null>> & { account_id?: number | null };

export interface Choice {
  rate: AccountRate;
  /** For people. */
  reason: string;
}

/**
 * The cheapest rate that somebody asked for; else that of the first rule that is for the parcel and finds one; else the
 * cheapest of all. Undefined where there is none.
 */
export function chooseRate(rates: AccountRate[], facts: Facts, rules: Rule[], wanted: Wanted = {}): Choice | undefined {
  if (wanted.account_id != null || wanted.carrier != null || wanted.service != null) {
    const rate = cheapest(rates.filter((one) => isOf(one, wanted)));
    return rate && { rate, reason: "It was asked for" };
  }
  for (const rule of rules) {
    if (!isFor(rule, facts)) continue;
    const { within_days: days, rule_name } = rule;
    const inTime = (one: AccountRate) => days === null || (one.days !== null && one.days <= days);
    const rate = cheapest(rates.filter((one) => isOf(one, rule) && inTime(one)));
    if (rate) return { rate, reason: `Rule ${rule_name}: ${wordsOf(rule)}` };
  }
  const rate = cheapest(rates);
  return rate && { rate, reason: "The cheapest, as no rule has one" };
}

const wordsOf = ({ carrier, service, within_days }: Rule): string =>
  [
    ["the cheapest", carrier, service].filter(Boolean).join(" "),
    ...(within_days === null ? [] : [`within ${within_days} ${within_days === 1 ? "day" : "days"}`]),
  ].join(" ");

/** Names are typed by people: any case will do. */
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function isFor({ ship_method, min_weight_lbs, max_weight_lbs, countries, hazardous }: Rule, facts: Facts): boolean {
  const weight = new Decimal(facts.weight_lbs);
  return (
    (ship_method === null || (facts.ship_method !== null && same(ship_method, facts.ship_method))) &&
    (min_weight_lbs === null || weight.gte(min_weight_lbs)) &&
    (max_weight_lbs === null || weight.lt(max_weight_lbs)) &&
    (hazardous === null || hazardous === facts.hazardous) &&
    (countries.length === 0 || countries.includes(facts.country))
  );
}

const isOf = (rate: AccountRate, { account_id, carrier, service }: Wanted): boolean =>
  (account_id == null || rate.account_id === account_id) &&
  (carrier == null || same(rate.carrier, carrier)) &&
  (service == null || same(rate.service, service));

/**
 * Of two at the same price the faster, then the first by name. Amounts of several currencies are not compared: those of
 * the first rate's are taken.
 */
function cheapest(rates: AccountRate[]): AccountRate | undefined {
  const [first] = rates;
  return rates
    .filter(({ currency }) => currency === first?.currency)
    .sort(
      (a, b) =>
        a.cost_minor - b.cost_minor ||
        (a.days ?? Number.POSITIVE_INFINITY) - (b.days ?? Number.POSITIVE_INFINITY) ||
        `${a.carrier} ${a.service}`.localeCompare(`${b.carrier} ${b.service}`),
    )[0];
}
