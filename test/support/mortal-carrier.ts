import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** So long that a kill finds requests under way. */
const SLOW_MS = 150;

/** A local carrier that can be killed: it forgets nothing. */
export async function openMortal(folder: string) {
  const file = path.resolve("examples/carriers/easypost.mjs");
  let child: ChildProcess;
  let url = "";
  const start = async () => {
    const port = url ? new URL(url).port : "0";
    child = spawn(process.execPath, [file, "--port", port, "--data", path.join(folder, "carrier.json")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
    url = JSON.parse(`${line}`).url;
    await slow();
  };
  const door = async (method: string, to: string, body?: object) => {
    const options = { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) };
    return (await fetch(`${url}/_control/${to}`, options as RequestInit)).json();
  };
  const slow = () => door("POST", "faults", { delay_ms: SLOW_MS, times: 1_000_000 });
  const end = async () => {
    const ended = once(child, "exit");
    if (!child.kill("SIGKILL"))
      throw new Error(`The carrier had ended by itself: ${child.signalCode ?? child.exitCode}`);
    await ended;
  };
  await start();
  return {
    url: () => url,
    async kill() {
      await end();
      await start();
    },
    bought: async (key: string) => (await door("GET", `bought?reference=${key}`)) as { bought: number; voided: number },
    /** All that it sold, for whatever. */
    sold: async () => ((await door("GET", "bought")) as { bought: number }).bought,
    /** The manifests that it made. */
    forms: () => scanForms(url),
    end,
  };
}
export type MortalCarrier = Awaited<ReturnType<typeof openMortal>>;

type ScanForm = { id: string; status: string; tracking_codes: string[] };

/** The SCAN forms that a local EasyPost made, the newest hundred. */
export async function scanForms(url: string): Promise<ScanForm[]> {
  const headers = { authorization: `Basic ${Buffer.from("EZTK_local:").toString("base64")}` };
  const answer = await fetch(`${url}/v2/scan_forms?page_size=100`, { headers });
  const { scan_forms } = (await answer.json()) as { scan_forms: ScanForm[] };
  return scan_forms.filter(({ status }) => status === "created");
}
