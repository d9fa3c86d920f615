import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { Matching } from "../check/matching.js";
import type { Day } from "../day.js";
import type { Caller } from "../http/caller.js";
import type { Site } from "../site/site.js";

/** A partner that receives webhooks, with an outage in the middle of the day. */

const NAME = "simulated-partner";
const WEBHOOKS = "/api/admin/webhooks";
/** An event that comes later than this after it happened is late. */
const LATE_MS = 5_000;
const OUTAGE_MINUTES = 6;

/** What keeps a service from sending to this machine. */
const notAllowed: Record<string, string> = {
  https_required: "SERVICE_ALLOW_HTTP_WEBHOOKS",
  private_destination: "SERVICE_ALLOW_INTERNAL_WEBHOOKS",
};

export class Partner {
  readonly matching = new Matching();
  readonly delay: RecordableHistogram = createHistogram({ lowest: 1, highest: 100_000_000, figures: 2 });
  refused = 0;
  late = 0;
  unsigned = 0;
  #isDown = false;
  #secret = "";
  /** Events up to here are of before this run. */
  #after = Number.MAX_SAFE_INTEGER;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  private constructor(
    readonly office: Caller,
    private subscription_id: string,
  ) {}

  /** Subscribes, and resumes the subscription of an earlier run; or says what the service does not allow. */
  static async open({ office, houses }: Site): Promise<Partner | string> {
    const partner = new Partner(office, "");
    partner.#server.listen(0, "127.0.0.1");
    await once(partner.#server, "listening");
    const { port } = partner.#server.address() as AddressInfo;
    const fields = {
      display_name: "Simulated partner",
      delivery_url: `http://127.0.0.1:${port}/`,
      subscription_filter: { warehouse_ids: houses.map(({ warehouse_id }) => warehouse_id) },
      rate_limit_per_second: 100,
    };
    const expected = Object.keys(notAllowed);
    const { webhooks } = await office.ok("GET", WEBHOOKS);
    const known = webhooks.find(
      (one: { connector_id: string; status: string }) => one.connector_id === NAME && one.status !== "revoked",
    );
    if (!known) await makeConnector(office);
    const answer = known
      ? await office.call("PATCH", `${WEBHOOKS}/:subscription_id`, {
          params: { subscription_id: known.subscription_id },
          body: { ...fields, status: "active", acknowledge_url_reuse: true },
          expected,
        })
      : await office.post(WEBHOOKS, { body: { connector_id: NAME, ...fields, acknowledge_url_reuse: true }, expected });
    if (!answer.ok) {
      partner.#shut();
      return notAllowed[answer.code] ?? answer.code;
    }
    partner.subscription_id = answer.body.subscription_id;
    partner.#secret = answer.body.secret ?? (await partner.#newSecret());
    return partner;
  }

  /** From now on events after this one belong to the run. */
  begin(after: number): void {
    this.#after = after;
  }

  /** Answers nobody for some minutes in the middle of the day. */
  async outage({ clock }: Day): Promise<void> {
    const middle = (clock.minute + clock.endMinute) / 2;
    await clock.until(middle);
    this.#isDown = true;
    await clock.until(middle + Math.min(OUTAGE_MINUTES, (clock.endMinute - middle) / 4));
    this.#isDown = false;
  }

  /** Pauses the subscription, because nobody listens any more. */
  async close(): Promise<void> {
    const params = { subscription_id: this.subscription_id };
    await this.office.call("PATCH", `${WEBHOOKS}/:subscription_id`, { params, body: { status: "paused" } });
    this.#shut();
  }

  async #newSecret(): Promise<string> {
    const params = { subscription_id: this.subscription_id };
    return (await this.office.ok("POST", `${WEBHOOKS}/:subscription_id/rotate-secret`, { params })).secret;
  }

  #shut(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (this.#isDown) {
      this.refused++;
      response.writeHead(503).end();
      return;
    }
    const body = Buffer.concat(chunks);
    const { event_id, event_timestamp } = JSON.parse(body.toString("utf8"));
    response.writeHead(204).end();
    if (event_id <= this.#after) return;
    if (!verifyWebhook(request.headers, body, [this.#secret])) this.unsigned++;
    const ms = Date.now() - Date.parse(event_timestamp);
    this.delay.record(Math.max(1, Math.round(ms)));
    if (ms > LATE_MS) this.late++;
    this.matching.came(event_id);
  }
}

async function makeConnector(office: Caller): Promise<void> {
  const { connectors } = await office.ok("GET", "/api/admin/connector-registry");
  if (connectors.some(({ connector_id }: { connector_id: string }) => connector_id === NAME)) return;
  await office.ok("POST", "/api/admin/connector-registry", {
    body: { connector_id: NAME, display_name: "Simulated partner" },
  });
}
