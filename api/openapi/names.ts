/** `cycle_count.adjusted` as `CycleCountAdjusted`. */
export const pascalCase = (name: string) =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
