import { arrayOf, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";

const Client = { client_id: text, client_name: text, redirect_uris: arrayOf(text) };

/** A program that has registered; undefined where there is none. */
export const oauthClient = (clientId: string) =>
  db.row(Client, "select client_id, client_name, redirect_uris from oauth_clients where client_id = $1", [clientId]);
