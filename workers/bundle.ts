import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bundleWorkflowCode } from "@temporalio/worker";

/** Builds the workflow bundle once, as part of the build; workers load the file. */
const require = createRequire(import.meta.url);
const MERGED = { concatenateModules: true, usedExports: true, providedExports: true, sideEffects: true };
const { code } = await bundleWorkflowCode({
  workflowsPath: require.resolve("../workflows/index.js"),
  workflowInterceptorModules: [require.resolve("../workflows/tracing.js")],
  webpackConfigHook: (config) => ({
    ...config,
    // Each start of a workflow evaluates all modules anew: few large ones take less time than many small ones.
    optimization: { ...config.optimization, ...MERGED },
    // Places in call stacks, without the sources: twice as much to read for each worker that starts.
    devtool: "inline-nosources-source-map",
  }),
  logger: { ...console, trace() {}, debug() {}, info() {}, log() {} } as never,
});
await writeFile(new URL("../workflow-bundle.js", import.meta.url), code);
