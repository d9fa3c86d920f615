import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bundleWorkflowCode } from "@temporalio/worker";

/** Builds the workflow bundle once, as part of the build; workers load the file. */
const require = createRequire(import.meta.url);
const MERGED = { concatenateModules: true, usedExports: true, providedExports: true, sideEffects: true };
const { code } = await bundleWorkflowCode({
  workflowsPath: require.resolve("../workflows/index.js"),
  workflowInterceptorModules: [require.resolve("../workflows/tracing.js")],
  // Each start of a workflow evaluates all modules anew: few large ones take less time than many small ones.
  webpackConfigHook: (config) => ({ ...config, optimization: { ...config.optimization, ...MERGED } }),
  logger: { ...console, trace() {}, debug() {}, info() {}, log() {} } as never,
});
await writeFile(new URL("../workflow-bundle.js", import.meta.url), code);
