import { z } from "zod";

const file = (what: string) =>
  z
    .url()
    .optional()
    .meta({ label: `URL of the ${what}`, description: "A CSV file." });
const text = () => z.string().min(1).optional();

export const CsvConfig = z.strictObject({
  items_url: file("items"),
  orders_url: file("orders"),
  inventory_url: file("stock in bins"),
  username: text().meta({ label: "User name", description: "Where the server asks for one (Basic authentication)." }),
  password: text().meta({ label: "Password", description: "Of that user." }),
  token: text().meta({
    label: "Token",
    description: "Sent in a header, as the server wants it, such as “Bearer 5f0c…”.",
  }),
  token_header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
    .optional()
    .meta({ label: "Header of the token", description: "Without it Authorization.", plain: true }),
});
export type CsvConfig = z.output<typeof CsvConfig>;

/** The headers that authenticate us to the server. */
export function credentialsOf({ username, password, token, token_header }: CsvConfig): Record<string, string> {
  const basic = Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64");
  return {
    ...((username || password) && { authorization: `Basic ${basic}` }),
    ...(token && { [(token_header ?? "authorization").toLowerCase()]: token }),
  };
}
