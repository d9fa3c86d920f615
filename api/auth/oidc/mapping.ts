import { setSignInMapping } from "../../../activities/auth/oidc/mapping.js";
import { signInMapping } from "../../../src/auth/oidc/queries.js";
import { SignInMapping } from "../../../src/auth/oidc/shapes.js";
import { UnknownWarehouses } from "../../../src/auth/problems.js";
import { db } from "../../../src/platform/db/db.js";
import { admin, route } from "../../http/route.js";

/** What groups of the identity provider may do: docs/sign-in.md. */

export const getSignInMapping = route("get /api/admin/sign-in/mapping", {
  for: admin,
  summary: "What groups of the identity provider may do here",
  answers: { 200: SignInMapping },
  run: () => signInMapping(db),
});

export const replaceSignInMapping = route("put /api/admin/sign-in/mapping", {
  byPersonOnly: true,
  for: admin,
  stepUp: true,
  summary: "Sets what groups of the identity provider may do here, from each user's next sign-in on",
  body: SignInMapping,
  answers: { 200: SignInMapping },
  errors: [UnknownWarehouses],
  run: ({ body, by }) => setSignInMapping(body, by),
});
