/** Keys that follow each other this fast are a scanner's and not fingers'. */
const FAST_MS = 40;
/** As many keys as fast as this are a scan. Fingers may be as fast for a moment, so a text needs more of them. */
const SHORTEST = 2;
const SHORTEST_IN_TEXT = 4;
/** With the third fast key a number is no longer one, whether Enter follows or not. */
const TOO_FAST_FOR_A_NUMBER = 3;

/** Ends the parts of a GS1 label; a scanner types it as a character or as Ctrl+]. */
const SEPARATOR = "\u001d";

/** The field for scans, where the page has one: it shows what fingers type. */
const SCAN_FIELD = "input[data-scan]";

const inputOf = (element: Element | null) => (element instanceof HTMLInputElement ? element : undefined);
const isScanField = (input: HTMLInputElement | undefined) => input?.matches(SCAN_FIELD) === true;

/**
 * Hears the scanner that types, wherever the focus is: on a button, which it does not press; in a field for something
 * else, such as a quantity, which then holds what it held before; or nowhere. Returns what ends it.
 */
export function hearScans(take: (text: string) => void): () => void {
  let typed = "";
  let last = Number.NEGATIVE_INFINITY;
  /** Where the first key went, and what was there before. */
  let field: HTMLInputElement | undefined;
  let before = "";

  const restore = () => {
    if (field?.isConnected && !isScanField(field) && field.value !== before) setValue(field, before);
  };
  const add = (text: string, at: number) => {
    if (at - last >= FAST_MS) {
      typed = "";
      field = inputOf(document.activeElement);
      before = field?.value ?? "";
    }
    last = at;
    typed += text;
  };
  const hearKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
    if (key === "Enter" || key === "Tab") return hearEnd(event);
    // Some keyboards need Shift or AltGr for a part of what is printed.
    if (key === "Shift" || key === "AltGraph") return;
    const isSeparator = key === SEPARATOR || (ctrlKey && key === "]");
    const isShortcut = (ctrlKey || metaKey || altKey) && !event.getModifierState("AltGraph");
    if (!isSeparator && (key.length !== 1 || isShortcut)) return;
    add(isSeparator ? SEPARATOR : key, timeStamp);
    if (isSeparator) return event.preventDefault();
    const focused = inputOf(document.activeElement);
    if (focused?.type === "number" && typed.length >= TOO_FAST_FOR_A_NUMBER) {
      event.preventDefault();
      restore();
    }
    if (focused) return;
    // A space presses buttons.
    if (key === " ") {
      if (typed.length > 1) event.preventDefault();
    } else document.querySelector<HTMLInputElement>(SCAN_FIELD)?.focus();
  };
  const hearEnd = (event: KeyboardEvent) => {
    const focused = inputOf(document.activeElement);
    const isText = field !== undefined && field.type !== "number" && !isScanField(field);
    const isScan = event.timeStamp - last < FAST_MS && typed.length >= (isText ? SHORTEST_IN_TEXT : SHORTEST);
    const text = typed;
    typed = "";
    last = Number.NEGATIVE_INFINITY;
    // What stood in the field for scans before was typed by fingers, and its end was fast.
    const hasMore = isScanField(focused) && (focused?.value.length ?? 0) > text.length;
    if (!isScan || hasMore) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    restore();
    if (focused && isScanField(focused)) focused.value = "";
    take(text);
  };
  const hearInput = (event: InputEvent) => {
    if (event.data === SEPARATOR && !isScanField(field)) event.preventDefault();
    if (event.data === SEPARATOR) add(SEPARATOR, event.timeStamp);
  };
  document.addEventListener("keydown", hearKey, true);
  document.addEventListener("beforeinput", hearInput, true);
  return () => {
    document.removeEventListener("keydown", hearKey, true);
    document.removeEventListener("beforeinput", hearInput, true);
  };
}

/** As if somebody had typed it: React does not see what is assigned. */
function setValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
