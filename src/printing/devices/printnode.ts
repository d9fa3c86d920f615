import { z } from "zod";
import { failureOf } from "../../outbound/wire/exchange.js";
import { type Device, maybePrinted, NotPrinted } from "./device.js";
import { type Asked, ask, type Server } from "./http.js";

/** Types of content, by format. */
const contentTypes = { pdf: "pdf_base64", zpl: "raw_base64" } as const;

const JobId = z.int();
const Jobs = z.array(z.looseObject({ id: JobId, state: z.string().optional(), source: z.string().nullish() }));

/** How a job ends that was not printed. */
const FAILED = ["error", "expired", "deleted"];

/**
 * A printer behind a service with the interface of PrintNode (printnode.com/docs/api): its client in the house prints.
 * A repeated request has the key of the first one, so that it makes no second job.
 * @param apiKey The user name of Basic authentication, without a password.
 */
export function printNodePrinter(server: Server, apiKey: string): Device {
  const printerId = Number(server.url.pathname.split("/").at(-1));
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;

  async function request(
    { headers, ...asked }: Asked,
    signal: AbortSignal,
  ): Promise<{ status: number; told: unknown }> {
    const { status, body } = await ask(
      server,
      { ...asked, headers: { ...headers, Authorization: authorization, Accept: "application/json" } },
      signal,
    ).catch((error) => {
      if (signal.aborted) throw error;
      throw new NotPrinted(failureOf(error).detail);
    });
    return { status, told: jsonOf(body) };
  }

  const get = async (path: string, signal: AbortSignal) => {
    const { status, told } = await request({ method: "GET", path, headers: {} }, signal);
    refuseStatus(status);
    return understood(Jobs, told);
  };

  return {
    repeatable: true,
    async send({ title, format, content, runId, signal, handOver }) {
      await handOver();
      const source = `warehouse ${runId}`;
      const body = JSON.stringify({
        ...{ printerId, title, contentType: contentTypes[format], content: content.toString("base64"), source },
      });
      const headers = { "Content-Type": "application/json", "X-Idempotency-Key": runId };
      const { status, told } = await request({ method: "POST", path: "/printjobs", headers, body }, signal);
      if (status !== 409) {
        refuseStatus(status);
        return String(understood(JobId, told));
      }
      // The first request arrived, although its answer did not.
      const jobs = await get(`/printers/${printerId}/printjobs?limit=100`, signal);
      const made = jobs.find((job) => job.source === source);
      if (!made) throw maybePrinted("The service has it already, but does not say as which job");
      return String(made.id);
    },
    async look(remoteId, signal) {
      const [job] = await get(`/printjobs/${remoteId}`, signal);
      if (!job) throw maybePrinted(`The service knows nothing of its job ${remoteId} any more`);
      const state = job.state ?? "unknown";
      if (state === "done") return { state: "printed" };
      if (FAILED.includes(state)) throw new NotPrinted(`The service has not printed it: ${state}`, true);
      return { state: "waiting", why: `The service has it, but has not printed it: ${state}` };
    },
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function understood<T>(shape: z.ZodType<T>, told: unknown): T {
  const read = shape.safeParse(told);
  if (read.success) return read.data;
  throw new NotPrinted("The answer of the service is not understood");
}

/** A refused key or printer stays refused; a service that is busy or broken is asked again. */
function refuseStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  const passes = status === 429 || status >= 500;
  throw new NotPrinted(
    status === 401 ? "The service refused the API key (HTTP status 401)" : `The service answered HTTP status ${status}`,
    !passes,
  );
}
