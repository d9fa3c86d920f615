import { parseSetCookie } from "cookie";
import { createUser } from "../../activities/auth/users.js";
import type { NewUser } from "../../src/auth/users/shapes.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Answer } from "./caller.js";
import type { TestService } from "./service.js";
import { unique } from "./unique.js";

export const PASSWORD = "correct horse 1";

/** A user who can sign in with PASSWORD; an ADMIN unless said otherwise. */
export async function person(fields: Partial<NewUser> = {}) {
  const username = `person-${unique().toLowerCase()}`;
  const user: NewUser = {
    username,
    password: PASSWORD,
    full_name: username,
    role: "ADMIN",
    warehouse_ids: [],
    allowed_functions: [],
    page_keys: [],
    ...fields,
  };
  const { looks_like: _, ...made } = await createUser(user, systemActor(`make ${username}`));
  return made;
}

export const cookiesOf = (answer: Answer) => answer.headers.getSetCookie().map((line) => parseSetCookie(line));

/** The ways into the service that is open at the time of the call. */
export function sessionsOf(service: () => TestService) {
  const logIn = (username: string, password: string) =>
    service().anyone.post("/api/auth/login", { username, password });
  /** Calls with the token. */
  const bearer = (token: string) => service().anyone.with({ authorization: `Bearer ${token}` });
  /** Calls with the token of a fresh login. */
  const signedIn = async (username: string, password = PASSWORD) =>
    bearer((await logIn(username, password)).body.token);
  /** Calls with the cookies of a fresh login, as a browser does; the CSRF value apart. */
  const browser = async (username: string) => {
    const cookies = cookiesOf(await logIn(username, PASSWORD));
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const csrf = cookies.find(({ name }) => name === "service_csrf")?.value;
    return { caller: service().anyone.with({ cookie }), csrf: csrf ?? "" };
  };
  return { logIn, bearer, signedIn, browser };
}
