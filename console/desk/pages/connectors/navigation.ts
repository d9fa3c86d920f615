import { t as channels } from "../../../texts/channels.js";
import { t as connectors } from "../../../texts/connectors.js";
import { t as inbound } from "../../../texts/inbound.js";
import { t as partners } from "../../../texts/partner-links.js";
import { t as access } from "../../../texts/tokens.js";
import { t as webhooks } from "../../../texts/webhooks.js";
import type { NavigationPart } from "../../navigation.js";

const groups = "consumer-groups";

export default {
  group: "integrations",
  pages: [
    {
      path: "webhooks",
      needs: "webhooks",
      title: () => webhooks("webhooks"),
      load: () => import("../outbound/webhooks/webhooks.js"),
    },
    { path: "webhooks/:subscription_id", needs: "webhooks", load: () => import("../outbound/webhooks/webhook.js") },
    {
      path: "webhooks/:subscription_id/deliveries",
      needs: "webhooks",
      load: () => import("../outbound/webhooks/deliveries.js"),
    },
    {
      path: "webhooks/:subscription_id/deliveries/:delivery_id",
      needs: "webhooks",
      load: () => import("../outbound/webhooks/delivery.js"),
    },
    {
      path: "webhooks/:subscription_id/dead-letters",
      needs: "webhooks",
      load: () => import("../outbound/webhooks/dead-letters.js"),
    },
    {
      path: "webhook-errors",
      needs: "webhooks",
      title: () => webhooks("webhookErrors"),
      load: () => import("../outbound/webhooks/errors.js"),
    },
    {
      path: "inbound",
      needs: "inbound",
      title: () => inbound("inbound"),
      load: () => import("../inbound/activity.js"),
    },
    { path: "inbound/:resource/:inbound_id", needs: "inbound", load: () => import("../inbound/record.js") },
    {
      path: "inbound-try",
      needs: "inbound",
      title: () => inbound("inboundTry"),
      load: () => import("../inbound/try.js"),
    },
    {
      path: "source-links",
      needs: "inbound",
      title: () => inbound("links"),
      load: () => import("../inbound/links.js"),
    },
    {
      path: "connectors",
      needs: "integrations",
      title: () => connectors("connectors"),
      load: () => import("./connectors.js"),
    },
    { path: "connectors/:name", needs: "integrations", load: () => import("./connector.js") },
    { path: "pushes", needs: "integrations", title: () => connectors("pushes"), load: () => import("./pushes.js") },
    {
      path: "channels",
      needs: "channels",
      title: () => channels("channels"),
      load: () => import("../outbound/channels/channels.js"),
    },
    { path: "channels/:channel_id", needs: "channels", load: () => import("../outbound/channels/channel.js") },
    {
      path: "notifications",
      needs: "notifications",
      title: () => channels("notifications"),
      load: () => import("../outbound/channels/notifications.js"),
    },
    {
      path: "notifications/:webhook_id",
      needs: "notifications",
      load: () => import("../outbound/channels/messages.js"),
    },
    { path: "tokens", needs: "api-tokens", title: () => access("tokens"), load: () => import("../auth/tokens.js") },
    { path: "tokens/:token_id", needs: "api-tokens", load: () => import("../auth/token.js") },
    { path: groups, needs: groups, title: () => access("consumerGroups"), load: () => import("../outbound/groups.js") },
    {
      path: "connector-registry",
      needs: groups,
      title: () => access("connectorRegistry"),
      load: () => import("../outbound/programs.js"),
    },
    {
      path: "partner-links",
      needs: "ADMIN",
      title: () => partners("links"),
      load: () => import("../outbound/partner-links.js"),
    },
    {
      path: "source-systems",
      needs: "sales-orders",
      title: () => access("sourceSystems"),
      load: () => import("../inbound/allowed-systems.js"),
    },
  ],
} satisfies NavigationPart;
