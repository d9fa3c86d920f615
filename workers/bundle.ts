import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bundleWorkflowCode } from "@temporalio/worker";

/** Builds the workflow bundle once, as part of the build; workers load the file. */
const require = createRequire(import.meta.url);
const { code } = await bundleWorkflowCode({
  workflowsPath: require.resolve("../workflows/index.js"),
  workflowInterceptorModules: [require.resolve("../workflows/tracing.js")],
  logger: { ...console, trace() {}, debug() {}, info() {}, log() {} } as never,
});
await writeFile(new URL("../workflow-bundle.js", import.meta.url), code);
