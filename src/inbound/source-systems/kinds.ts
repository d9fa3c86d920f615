/** What a system that pushes records is. */
export const sourceSystemKinds = ["connector", "internal_tool", "manual_import"] as const;

export interface SourceSystem {
  source_system: string;
  kind: (typeof sourceSystemKinds)[number];
}
