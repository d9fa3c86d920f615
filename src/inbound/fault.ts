/** A fault of a mapping, or of a payload that does not fit it; the catcher adds where it is. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** Uses steps of a budget; throws a Fault when none are left. */
export type Spend = (steps: number) => void;

/** A budget of steps, which bounds the time that a mapping takes whatever the payload. */
export function budget(steps: number, spent: () => Error = tooLarge): Spend {
  let left = steps;
  return (used) => {
    left -= used;
    if (left < 0) throw spent();
  };
}

export const tooLarge = (): Fault => new Fault("the payload is too large for this mapping");
