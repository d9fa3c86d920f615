import { language } from "../shared/language.js";

/** What the connectors and carriers that come with the service have to be told, as they say it, and in German. */
const inGerman = new Map([
  ["API key", "API-Schlüssel"],
  ["API token", "API-Token"],
  ["A CSV file.", "Eine CSV-Datei."],
  ["A test or a production key.", "Einer zum Testen oder für den Betrieb."],
  ["Address of the API", "Adresse der API"],
  ["Address of the gateway", "Adresse des Gateways"],
  ["Address of the panel", "Adresse des Panels"],
  ["Admin API access token", "Zugriffstoken der Admin-API"],
  ["Any address of the public internet.", "Irgendeine Adresse im öffentlichen Internet."],
  ["Any text: nothing is done with it.", "Irgendein Text: mit ihm geschieht nichts."],
  ["Base URL", "Basis-URL"],
  ["Consumer key", "Consumer Key"],
  ["Consumer secret", "Consumer Secret"],
  ["Dimension unit", "Maßeinheit"],
  ["Header of the token", "Header des Tokens"],
  ["Location id", "Kennung des Standorts"],
  [
    "Of a REST API key with Read/Write permission: WooCommerce, Settings, Advanced, REST API.",
    "Eines REST-API-Schlüssels mit Lese- und Schreibrecht: WooCommerce, Einstellungen, Erweitert, REST-API.",
  ],
  [
    "Of a custom app of the shop, with the scopes that docs/connectors-shopify.md lists.",
    "Einer eigenen App des Shops, mit den Rechten aus docs/connectors-shopify.md.",
  ],
  ["Of a user of the gateway.", "Eines Benutzers des Gateways."],
  ["Of an API integration.", "Einer API-Integration."],
  ["Of that user.", "Dieses Benutzers."],
  ["Of the same integration.", "Derselben Integration."],
  [
    "Of the shop (Settings, Products): cm, m, mm, in or yd. Without it cm.",
    "Des Shops (Einstellungen, Produkte): cm, m, mm, in oder yd. Sonst cm.",
  ],
  [
    "Of the shop (Settings, Products): kg, g, lbs or oz. Without it kg.",
    "Des Shops (Einstellungen, Produkte): kg, g, lbs oder oz. Sonst kg.",
  ],
  ["Password", "Passwort"],
  ["Prefix of order numbers", "Vor Auftragsnummern"],
  ["Public key", "Öffentlicher Schlüssel"],
  ["Secret key", "Geheimer Schlüssel"],
  ["Secret of webhooks", "Geheimnis der Webhooks"],
  [
    "Sent in a header, as the server wants it, such as “Bearer 5f0c…”.",
    "Geht in einem Header mit, so wie der Server es will, etwa „Bearer 5f0c…“.",
  ],
  ["Shop URL", "Adresse des Shops"],
  ["Shown once, when the key is made.", "Wird einmal gezeigt, wenn der Schlüssel entsteht."],
  [
    "Stands before each order's number here, so that two shops may number alike.",
    "Steht hier vor jeder Auftragsnummer, damit zwei Shops gleich zählen dürfen.",
  ],
  [
    "Such as https://karrio.example.com: what stands before /v1.",
    "Etwa https://karrio.example.com: was vor /v1 steht.",
  ],
  ["Most parcels of a manifest", "Höchstzahl der Pakete auf einem Manifest"],
  [
    "Of the carrier behind the gateway; more go onto further manifests. Without it all go onto one.",
    "Die des Versanddienstes hinter dem Gateway; mehr kommen auf weitere Manifeste. Ohne sie kommen alle auf eines.",
  ],
  [
    "The secret with which the webhook was created at EasyPost.",
    "Das Geheimnis, mit dem der Webhook bei EasyPost entstand.",
  ],
  [
    "The secret that the shop's webhooks have; without it none is accepted.",
    "Das Geheimnis der Webhooks des Shops; ohne wird keiner angenommen.",
  ],
  [
    "The shop's location that this warehouse is: only what is assigned to it is told as shipped.",
    "Der Standort des Shops, der dieses Lager ist: nur was ihm zugeteilt ist, wird als versandt gemeldet.",
  ],
  ["Token", "Token"],
  ["URL of the items", "URL der Artikel"],
  ["URL of the orders", "URL der Aufträge"],
  ["URL of the stock in bins", "URL des Bestands auf Plätzen"],
  ["User name", "Benutzername"],
  ["Webhook secret", "Geheimnis der Webhooks"],
  ["Weight unit", "Gewichtseinheit"],
  [
    "What the gateway shows where the webhook was made; it sends it with each.",
    "Was das Gateway beim Anlegen des Webhooks zeigt; es schickt es mit jedem mit.",
  ],
  [
    "What the shop signs them with: the API secret key of the app, or what the admin shows beside them.",
    "Womit der Shop sie signiert: der geheime API-Schlüssel der App, oder was der Admin daneben zeigt.",
  ],
  [
    "Where WordPress is, such as https://shop.example.com: what stands before /wp-json.",
    "Wo WordPress ist, etwa https://shop.example.com: was vor /wp-json steht.",
  ],
  ["Where the key is sent", "Wo der Schlüssel mitgeht"],
  ["Where the server asks for one (Basic authentication).", "Wenn der Server einen verlangt (Basic Authentication)."],
  ["Without it Authorization.", "Sonst Authorization."],
  ["Without it https://api.easypost.com.", "Sonst https://api.easypost.com."],
  ["Without it https://panel.sendcloud.sc.", "Sonst https://panel.sendcloud.sc."],
  [
    "header or query: in the address, for servers that take the header Authorization away. Without it header.",
    "header oder query: in der Adresse, für Server, die den Header Authorization wegnehmen. Sonst header.",
  ],
  [
    "https://<shop>.myshopify.com: the address that the shop has in its admin, not its own domain.",
    "https://<shop>.myshopify.com: die Adresse des Shops in seinem Admin, nicht seine eigene Domain.",
  ],
]);

/** A name or a description of such a field; those of others' connectors are as these say them. */
export const configText = (said: string): string => (language() === "de" && inGerman.get(said)) || said;
