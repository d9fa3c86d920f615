import { type RefObject, useEffect, useEffectEvent } from "react";

/** Where letters are typed, or mean something else. */
const TAKEN = "input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu], [role=listbox]";

type Box = RefObject<HTMLElement | null>;

/**
 * In a list `j` and `k` move the focus from row to row. Any other key does what `keys` has for it with the row in
 * which the focus is, by its place in the list.
 */
export function useRowKeys(box: Box, isList: boolean, keys: Record<string, (place: number) => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest(TAKEN)) return;
    const row = target.closest<HTMLElement>("[data-row]");
    // Of two lists on a page the one that has the focus hears it, else the first.
    if (!box.current || (row && !box.current.contains(row))) return;
    if (event.key === "j" || event.key === "k") {
      const rows = [...box.current.querySelectorAll<HTMLElement>("[data-row]")];
      const next = row ? rows[rows.indexOf(row) + (event.key === "j" ? 1 : -1)] : rows.find(isInSight);
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest" });
      // What has the focus within a row has an Enter of its own.
    } else if (row && keys[event.key] && (event.key !== "Enter" || target === row))
      keys[event.key]?.(Number(row.dataset.row));
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!isList) return;
    const hear = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [isList]);
}

/** Not behind the head of the list, which stays where it is. */
function isInSight(row: HTMLElement): boolean {
  const head = row.closest("table")?.tHead?.getBoundingClientRect();
  return row.getBoundingClientRect().top >= Math.max(0, head?.bottom ?? 0) - 1;
}
