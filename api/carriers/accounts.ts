import { z } from "zod";
import * as activities from "../../activities/carriers/accounts.js";
import { testAccount } from "../../activities/carriers/test-account.js";
import {
  CarrierAccountExists,
  CarrierAccountNotFound,
  CarrierAccountUsed,
  CarrierNotConfigured,
  CarrierSecretsNeeded,
  UnknownCarrier,
} from "../../src/carriers/problems.js";
import { accountById, carrierAccounts } from "../../src/carriers/queries.js";
import { carriers } from "../../src/carriers/registry.js";
import {
  AccountFilters,
  AccountIdParam,
  CarrierAccount,
  CarrierAccountChanges,
  CarrierDescription,
  describeCarrier,
  NewCarrierAccount,
  TestedAccount,
} from "../../src/carriers/shapes.js";
import { UnknownWarehouse } from "../../src/master-data/problems.js";
import { Message, paged } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { admin, route } from "../http/route.js";

/** Accounts with carriers: docs/carriers.md. */

/** Each asks somebody outside. */
const TESTS_PER_MINUTE = 30;

const params = z.strictObject({ account_id: AccountIdParam });

export const listCarriers = route("get /api/admin/carriers/kinds", {
  for: admin,
  summary: "The carrier services, what each has to be told, and what it can do",
  query: z.object(wholeList(CarrierDescription)),
  answers: {
    200: z.strictObject({ carriers: z.array(CarrierDescription).describe("The carrier services, by name.") }),
  },
  run: async () => ({ carriers: carriers.map(describeCarrier) }),
});

export const listCarrierAccounts = route("get /api/admin/carriers", {
  for: admin,
  summary: "Accounts with carriers, by warehouse and name; never their credentials",
  query: AccountFilters,
  answers: { 200: paged("carrier_accounts", CarrierAccount, "The accounts, one entry for each.") },
  run: async ({ query }) => carrierAccounts(query),
});

export const createCarrierAccount = route("post /api/admin/carriers", {
  for: admin,
  summary: "Sets an account with a carrier up",
  body: NewCarrierAccount,
  answers: { 201: CarrierAccount },
  errors: [UnknownWarehouse, UnknownCarrier, CarrierNotConfigured, CarrierAccountExists],
  run: ({ body, by, options }) => activities.createCarrierAccount(body, options, by),
});

export const updateCarrierAccount = route("put /api/admin/carriers/:account_id", {
  for: admin,
  summary: "Changes what is sent of an account, which stays with its carrier and in its warehouse",
  params,
  body: CarrierAccountChanges,
  answers: { 200: CarrierAccount },
  errors: [...[CarrierAccountNotFound, CarrierNotConfigured, CarrierSecretsNeeded, CarrierAccountExists]],
  run: ({ params, body, by, options }) => activities.updateCarrierAccount(params.account_id, body, options, by),
});

export const deleteCarrierAccount = route("delete /api/admin/carriers/:account_id", {
  for: admin,
  summary: "Deletes an account that no label was bought with, and the rules that name it",
  params,
  answers: { 200: Message },
  errors: [CarrierAccountNotFound, CarrierAccountUsed],
  run: ({ params, by }) => activities.deleteCarrierAccount(params.account_id, by),
});

export const testCarrierAccount = route("post /api/admin/carriers/:account_id/test", {
  for: admin,
  perMinute: TESTS_PER_MINUTE,
  changesNothing: true,
  summary: "Whether the carrier answers and accepts the credentials",
  params,
  answers: { 200: TestedAccount },
  errors: [CarrierAccountNotFound],
  run: async ({ params, options }) => {
    const account = await accountById(params.account_id);
    if (!account) throw CarrierAccountNotFound();
    return testAccount(account, options);
  },
});
