import easypost from "./built-in/easypost.js";
import karrio from "./built-in/karrio.js";
import manual from "./built-in/manual.js";
import sendcloud from "./built-in/sendcloud.js";
import type { Carrier } from "./carrier.js";
import { UnknownCarrier } from "./problems.js";

/** The carrier services that accounts can be with. */
export const carriers: readonly Carrier[] = [easypost, karrio, manual, sendcloud];

/** The carrier of that name; refused where there is none. */
export function carrierNamed(name: string): Carrier {
  const carrier = carriers.find((one) => one.name === name);
  if (!carrier) throw UnknownCarrier({ carrier: name });
  return carrier;
}

/** Whether labels are bought by hand: nobody is asked. */
export const isByHand = (carrier: Carrier): boolean => carrier.buy === undefined;
