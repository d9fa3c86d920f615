/** What is wrong with a mapping, or with a payload in its eyes; who catches it says where. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** Takes steps from a budget; throws a Fault when it is used up. */
export type Spend = (steps: number) => void;

/** A budget of steps: whatever a payload holds, applying a mapping to it ends soon. */
export function budget(steps: number): Spend {
  let left = steps;
  return (taken) => {
    left -= taken;
    if (left < 0) throw new Fault("the payload is too large for this mapping");
  };
}
