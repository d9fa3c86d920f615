import { z } from "zod";

export const weightUnits = ["kg", "g", "lbs", "oz"] as const;
export const dimensionUnits = ["cm", "m", "mm", "in", "yd"] as const;

const key = () => z.string().trim().min(1);

export const WooConfig = z.strictObject({
  shop_url: z.url().meta({
    label: "Shop URL",
    description: "Where WordPress is, such as https://shop.example.com: what stands before /wp-json.",
  }),
  consumer_key: key().meta({
    label: "Consumer key",
    description: "Of a REST API key with Read/Write permission: WooCommerce, Settings, Advanced, REST API.",
  }),
  consumer_secret: key().meta({ label: "Consumer secret", description: "Shown once, when the key is made." }),
  auth: z.enum(["header", "query"]).optional().meta({
    label: "Where the key is sent",
    description:
      "header or query: in the address, for servers that take the header Authorization away. Without it header.",
    plain: true,
  }),
  webhook_secret: key().optional().meta({
    label: "Webhook secret",
    description: "The secret that the shop's webhooks have; without it none is accepted.",
  }),
  order_prefix: z.string().max(32).optional().meta({
    label: "Prefix of order numbers",
    description: "Stands before each order's number here, so that two shops may number alike.",
    plain: true,
  }),
  weight_unit: z.enum(weightUnits).optional().meta({
    label: "Weight unit",
    description: "Of the shop (Settings, Products): kg, g, lbs or oz. Without it kg.",
    plain: true,
  }),
  dimension_unit: z.enum(dimensionUnits).optional().meta({
    label: "Dimension unit",
    description: "Of the shop (Settings, Products): cm, m, mm, in or yd. Without it cm.",
    plain: true,
  }),
});
export type WooConfig = z.output<typeof WooConfig>;
