/**
 * Serves the metrics of this process on a port of their own, if one is set; otherwise nothing is loaded. Exits with 78
 * when the port is taken. Returns what ends it.
 */
export async function startMetrics(host: string, port: number | undefined, variable: string) {
  if (port === undefined) return async () => {};
  const { serveMetrics } = await import("./metrics-server.js");
  return serveMetrics(host, port).catch((error: NodeJS.ErrnoException): never => {
    if (error.code !== "EADDRINUSE") throw error;
    console.error(`Port ${port} on ${host} is taken. Set ${variable} to another one, or stop what uses it.`);
    process.exit(78);
  });
}
