import { logIn } from "../../activities/auth/login.js";
import { type Case, call, times } from "../case.js";
import { PASSWORD } from "../service.js";

/** Each as somebody else: attempts on one name wait for each other. */
export const login: Case = {
  name: "login",
  works: 64,
  prepare: async ({ somebody }, count) =>
    times(count, () => {
      const { username } = somebody().by;
      const body = { username, password: PASSWORD };
      return call(undefined, "POST /api/auth/login", body, () => logIn(username, PASSWORD, "127.0.0.1"));
    }),
};
