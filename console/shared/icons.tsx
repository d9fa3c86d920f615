/** Lines of 24 × 24 that look the same whatever fonts a device has. */
const lines = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  back: "M19 12H5m6-6-6 6 6 6",
  camera: "M4 8V4h4m8 0h4v4m0 8v4h-4m-8 0H4v-4M8 8v8m4-8v8m4-8v8",
  check: "m5 13 4 4L19 7",
  close: "m6 6 12 12M18 6 6 18",
  count: "M9 5H6v16h12V5h-3M9 3h6v4H9zM9 12l2 2 4-4M9 18h6",
  damage: "M12 3 2 20h20zM12 9v5m0 3h.01",
  day: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1",
  folded: "m10 7 5 5-5 5",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  lookUp: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",
  minus: "M5 12h14",
  move: "M4 8h14m-4-4 4 4-4 4M20 16H6m4-4-4 4 4 4",
  pack: "M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9",
  pick: "M3 4h3l3 11h9l2-8H7M10 20h.01M17 20h.01",
  plug: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  plus: "M5 12h14M12 5v14",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  putAway: "M12 21v-11m-5 5 5-5 5 5M4 9V4h16v5",
  receive: "M12 3v11m-5-5 5 5 5-5M4 15v5h16v-5",
  replenish: "M3 20h8v-7H3zM7 10V4h12v11m-4-4 4 4 4-4",
  returns: "M9 7 4 12l5 5M4 12h11a5 5 0 0 0 0-10h-3",
  settings: "M4 7h8m6 0h2M4 17h2m6 0h8M15 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM9 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  shelf: "M4 3v18M20 3v18M4 9h16M4 17h16M8 5h4v4M12 13h4v4",
  ship: "M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  sortable: "m8 10 4-4 4 4m-8 4 4 4 4-4",
  sortedDown: "m7 10 5 5 5-5",
  sortedUp: "m7 14 5-5 5 5",
  unfolded: "m7 10 5 5 5-5",
  walk: "M5 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM19 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM7 18h8a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h8",
};
export type IconName = keyof typeof lines;

/** Decoration: whatever it stands beside or on has a name. */
export const Icon = ({ of, size = 24 }: { of: IconName; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    style={{ verticalAlign: "middle" }}
  >
    <path d={lines[of]} />
  </svg>
);
