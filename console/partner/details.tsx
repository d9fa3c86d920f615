import { type ReactNode, useState } from "react";

/** A part that is folded, and neither read nor drawn until somebody unfolds it. */
export function Details({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
