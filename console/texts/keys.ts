import { catalogue } from "./catalogue.js";

/** Personal API keys. */
export const t = catalogue({
  allRights: ["all rights of the user", "alle Rechte des Benutzers"],
  functions: ["Functions of the scanner", "Funktionen des Scanners"],
  keyName: ["What it is for", "Wofür"],
  keyNameHint: ["Such as: nightly export.", "Etwa: nächtlicher Export."],
  keyOf: ["Key “{name}”", "Schlüssel „{name}“"],
  keys: ["API keys", "API-Schlüssel"],
  keysOfAll: ["API keys of users", "API-Schlüssel der Benutzer"],
  lastUsed: ["Last used", "Zuletzt benutzt"],
  letIn: ["{name} (a program that was let in)", "{name} (ein zugelassenes Programm)"],
  makeKey: ["Make an API key", "API-Schlüssel anlegen"],
  none: ["none", "keine"],
  noKeys: ["No program uses a key of yours.", "Kein Programm benutzt einen Schlüssel von Ihnen."],
  readsOnly: ["only reads", "liest nur"],
  revokeKey: [
    "Revoke the key {name}? Programs that use it stop.",
    "Den Schlüssel {name} widerrufen? Programme damit stehen dann.",
  ],
  scope: ["Opens", "Öffnet"],
  someRights: ["Only some of my rights", "Nur einen Teil meiner Rechte"],
  validUntil: ["Valid until", "Gültig bis"],
  validUntilHint: ["Empty: as long as is allowed.", "Leer: so lange wie erlaubt."],
  whose: ["User", "Benutzer"],
});
