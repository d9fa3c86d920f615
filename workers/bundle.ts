import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bundleWorkflowCode } from "@temporalio/worker";

/** Builds the workflow bundle once, as part of the build; workers load the file. */
const require = createRequire(import.meta.url);
const workflows = require.resolve("../workflows/index.js");
const tracing = require.resolve("../workflows/tracing.js");
const { code } = await bundleWorkflowCode({
  workflowsPath: workflows,
  failureConverterPath: require.resolve("../workflows/encoded-failures.js"),
  workflowInterceptorModules: [tracing],
  // All modules are shared: otherwise each start of a workflow would evaluate them anew. So they keep no state of a
  // workflow.
  preloadModules: [workflows, tracing],
  // Call stacks name files and lines. With the sources' text the bundle that each worker loads would be twice as large.
  webpackConfigHook: (config) => ({ ...config, devtool: "inline-nosources-source-map" }),
  logger: { ...console, trace() {}, debug() {}, info() {}, log() {} } as never,
});
await writeFile(new URL("../workflow-bundle.js", import.meta.url), code);
