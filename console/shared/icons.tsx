/** Lines of 24 × 24 that look the same whatever fonts a device has. */
const lines = {
  back: "M19 12H5m6-6-6 6 6 6",
  camera: "M4 8V4h4m8 0h4v4m0 8v4h-4m-8 0H4v-4M8 8v8m4-8v8m4-8v8",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  minus: "M5 12h14",
  plus: "M5 12h14M12 5v14",
  receive: "M12 3v11m-5-5 5 5 5-5M4 15v5h16v-5",
  sortable: "m8 10 4-4 4 4m-8 4 4 4 4-4",
  sortedDown: "m7 10 5 5 5-5",
  sortedUp: "m7 14 5-5 5 5",
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
