import { catalogue } from "./catalogue.js";

/** Links of partners, as the warehouse makes them. */
export const t = catalogue({
  links: ["Partner links", "Partnerlinks"],
  makeLink: ["Make a partner link", "Partnerlink anlegen"],
  linkOf: ["Link for {name}", "Link für {name}"],
  whom: ["Whom it is for", "Für wen"],
  program: ["Partner program", "Partnerprogramm"],
  until: ["Opens until", "Öffnet bis"],
  untilHint: ["Empty: for 30 days", "Leer: 30 Tage lang"],
  lastUsed: ["Last used", "Zuletzt benutzt"],
  revokedAt: ["Revoked at", "Widerrufen am"],
  warehouses: ["Warehouses", "Lager"],
  allowedEvents: [
    "Events that it may send to webhooks of its own; none chosen: it makes none",
    "Ereignisse, die es an eigene Webhooks senden lassen darf; nichts gewählt: es legt keine an",
  ],
  allowedWarehouses: [
    "Warehouses whose events those are; none chosen: the sandbox alone",
    "Lager, deren Ereignisse das sind; nichts gewählt: nur der Sandkasten",
  ],
  revokeLink: [
    "Revoke the link for {name}? It opens nothing any more.",
    "Den Link für {name} widerrufen? Er öffnet dann nichts mehr.",
  ],
});
