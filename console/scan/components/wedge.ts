/** Keys that follow each other this fast are a scanner's and not fingers'. */
export const FAST_MS = 40;
/** Fewer keys are a number that somebody typed. */
const SHORTEST = 4;

/**
 * Hears scans that were aimed at nothing, a button or a field that holds something else, such as a quantity, which
 * then gets back what it held. Returns what ends it.
 */
export function hearScans(field: () => HTMLInputElement | null, take: (text: string) => void): () => void {
  let typed = "";
  let last = 0;
  let before = "";
  const hear = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
    const focused = document.activeElement;
    if (ctrlKey || metaKey || altKey || focused === field()) return;
    if (!(focused instanceof HTMLInputElement)) {
      // A space presses buttons.
      if (key.length === 1 && key !== " ") field()?.focus();
      return;
    }
    const isFast = timeStamp - last < FAST_MS;
    last = timeStamp;
    if (key.length === 1) {
      if (!isFast) before = focused.value;
      typed = isFast ? typed + key : key;
    } else if (key === "Enter" && isFast && typed.length >= SHORTEST) {
      event.preventDefault();
      setValue(focused, before);
      field()?.focus();
      take(typed);
    }
  };
  document.addEventListener("keydown", hear, true);
  return () => document.removeEventListener("keydown", hear, true);
}

/** As if somebody had typed it: React does not see what is assigned. */
function setValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
