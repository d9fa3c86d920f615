import { z } from "zod";

export const ShopifyConfig = z.strictObject({
  shop_url: z.url().meta({
    label: "Shop URL",
    description: "https://<shop>.myshopify.com: the address that the shop has in its admin, not its own domain.",
  }),
  access_token: z.string().trim().min(1).meta({
    label: "Admin API access token",
    description: "Of a custom app of the shop, with the scopes that docs/connectors-shopify.md lists.",
  }),
  webhook_secret: z.string().trim().min(1).optional().meta({
    label: "Secret of webhooks",
    description: "What the shop signs them with: the API secret key of the app, or what the admin shows beside them.",
  }),
  order_prefix: z.string().max(32).optional().meta({
    label: "Prefix of order numbers",
    description: "Stands before each order's number here, so that two shops may number alike.",
    plain: true,
  }),
  location_id: z.string().regex(/^\d+$/).optional().meta({
    label: "Location id",
    description: "The shop's location that this warehouse is: only what is assigned to it is told as shipped.",
    plain: true,
  }),
});
export type ShopifyConfig = z.output<typeof ShopifyConfig>;
