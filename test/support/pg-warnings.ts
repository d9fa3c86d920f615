let told: Error | undefined;
process.on("warning", (warning) => {
  if (warning.name === "DeprecationWarning" && /\bpg\b/.test(warning.message)) told ??= warning;
});

/**
 * Throws what pg has warned of since this was last called: what its next version refuses, such as a query while another
 * one is under way on the same client. A process is warned once of each.
 */
export function refusePgWarnings(): void {
  const warning = told;
  told = undefined;
  if (warning) throw warning;
}
