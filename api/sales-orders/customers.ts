import { z } from "zod";
import { shownWarehouses } from "../../src/platform/actor.js";
import { Customer, customer } from "../../src/sales-orders/customer.js";
import { CustomerNotFound } from "../../src/sales-orders/problems.js";
import { page, route } from "../http/route.js";

export const getCustomer = route("get /api/admin/customers", {
  for: page("sales-orders"),
  summary: "A customer by name: e-mail, telephone and addresses as the orders have them, and the newest orders",
  query: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(256)
      .meta({ description: "The name, exactly as orders have it.", examples: ["Mary Miller"] }),
  }),
  answers: { 200: Customer },
  errors: [CustomerNotFound],
  run: ({ query: { name }, by }) => customer(name, shownWarehouses(by)),
});
