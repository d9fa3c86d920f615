/** The kinds of systems that push records. Apart from shapes.ts, so that the configuration loads no more than this. */
export const sourceSystemKinds = ["connector", "internal_tool", "manual_import"] as const;
