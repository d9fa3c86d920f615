import type { MouseEvent } from "react";
import type { NavigateFunction } from "react-router";

/** What does something of its own when it is clicked. */
const OWN = "a, button, input, select, textarea, label, [role=button], .select";

/** A click on a row opens its page, unless it was meant for something in the row, or text of it is marked. */
export function openRow(event: MouseEvent<HTMLElement>, page: string, navigate: NavigateFunction): void {
  const { target, currentTarget } = event;
  // Dialogs that a row has opened lie elsewhere, and their clicks come here as well.
  const isOfRow = target instanceof Element && currentTarget.contains(target) && !target.closest(OWN);
  if (!isOfRow || event.defaultPrevented || window.getSelection()?.toString()) return;
  if (event.ctrlKey || event.metaKey) window.open(`/console${page}`, "_blank", "noopener");
  else void navigate(page);
}
