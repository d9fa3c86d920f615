// A shop on this machine, to try the connector `woocommerce` with: one product, one paid order of two of it. It answers
// what the connector asks for of WooCommerce's REST API v3, and keeps what it is told.
//
//   node examples/local-shop.mjs <sku> <order number>
//
// Prints its address. The key is ck_local, the secret cs_local.
import { createServer } from "node:http";

const [sku = "MUG", number = "1001"] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from("ck_local:cs_local").toString("base64")}`;
const changedAt = new Date(Date.now() - 60_000).toISOString().slice(0, 19);

const product = {
  ...{ id: 1, name: "Mug", type: "simple", status: "publish", sku, virtual: false, weight: "0.36" },
  date_modified_gmt: changedAt,
};
const order = {
  ...{ id: 2, number, status: "processing", currency: "EUR", total: "19.80", shipping_total: "3.90" },
  ...{ date_created: changedAt, date_modified_gmt: changedAt, created_via: "checkout", customer_note: "" },
  billing: { first_name: "Ada", last_name: "Byron", email: "ada@example.com", address_1: "1 Main Street" },
  shipping: { first_name: "Ada", last_name: "Byron", address_1: "1 Main Street", city: "Dayton", country: "US" },
  line_items: [{ id: 3, name: "Mug", product_id: 1, variation_id: 0, quantity: 2, sku }],
  shipping_lines: [{ method_title: "Parcel" }],
  ...{ refunds: [], meta_data: [] },
};
const notes = [];

/** What is answered to a path below `/wp-json/wc/v3/`. */
function answer(method, path, query, body) {
  if (path === "products") return only(product, query);
  if (path === "orders") return only(order, query);
  if (path === "settings/products")
    return [
      { id: "woocommerce_weight_unit", value: "kg" },
      { id: "woocommerce_dimension_unit", value: "cm" },
    ];
  if (path === "orders/2" && method === "PUT") Object.assign(order, body, { date_modified_gmt: now() });
  if (path === "orders/2") return order;
  if (path === "orders/2/notes" && method === "POST") notes.push({ id: notes.length + 1, ...body });
  if (path === "orders/2/notes") return method === "POST" ? notes.at(-1) : notes;
  return undefined;
}

const now = () => new Date().toISOString().slice(0, 19);

/** A list of one record, unless the query leaves it out. */
function only(record, query) {
  const after = query.get("modified_after");
  const included = query.get("include")?.split(",") ?? [`${record.id}`];
  return (after && record.date_modified_gmt <= after) || !included.includes(`${record.id}`) ? [] : [record];
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname, searchParams } = new URL(request.url, "http://shop");
  const path = pathname.replace("/wp-json/wc/v3/", "");
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks)) : undefined;
  const known = request.headers.authorization === authorization;
  const found = known ? answer(request.method, path, searchParams, body) : undefined;
  const total = Array.isArray(found) ? { "X-WP-Total": found.length, "X-WP-TotalPages": 1 } : {};
  response.writeHead(known ? (found ? 200 : 404) : 401, { "Content-Type": "application/json", ...total });
  response.end(JSON.stringify(found ?? { code: known ? "rest_no_route" : "woocommerce_rest_cannot_view" }));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
