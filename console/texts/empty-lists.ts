import { nameIn } from "./catalogue.js";
import type { Text, Texts } from "./shared.js";

/** What stands in place of a list that has no rows at all: that there are none, and how some come about. */
const emptyLists = {
  accounts: [
    "No carrier accounts yet. Labels are bought with one.",
    "Noch keine Konten bei Versanddiensten. Mit einem werden Etiketten gekauft.",
  ],
  adjustments: [
    "No adjustments yet. They come from counts, from damage, or are made here.",
    "Noch keine Bestandskorrekturen. Sie entstehen durch Zählungen, Schäden und von Hand.",
  ],
  agentCalls: [
    "No agent asked for anything yet. What one wants to write waits here until a person decides.",
    "Noch hat kein Agent etwas verlangt. Was einer schreiben will, wartet hier, bis jemand entscheidet.",
  ],
  allowedSystems: [
    "No source systems are allowed yet. Records can be pushed by those that stand here.",
    "Noch sind keine Quellsysteme erlaubt. Datensätze schicken können die, die hier stehen.",
  ],
  apiKeys: [
    "No user has an API key. Each makes their own in “My account”.",
    "Kein Benutzer hat einen API-Schlüssel. Jeder macht seine in „Mein Konto“.",
  ],
  audit: [
    "Nothing was done yet. Every change is noted here, with who made it.",
    "Noch wurde nichts getan. Hier steht jede Änderung, und von wem sie ist.",
  ],
  backorders: [
    "No order waits for stock. One is opened here when an order asks for more than there is.",
    "Kein Auftrag wartet auf Ware. Rückstände entstehen, wenn ein Auftrag mehr verlangt, als da ist.",
  ],
  bins: [
    "No bins yet. Many are made at once by aisle, row and level, or one by one.",
    "Noch keine Plätze. Viele auf einmal entstehen nach Gang, Reihe und Ebene, oder einer nach dem anderen.",
  ],
  boxes: [
    "No boxes yet. With their sizes known, the one that fits is suggested for each parcel.",
    "Noch keine Kisten. Sind ihre Maße bekannt, wird für jedes Paket die passende vorgeschlagen.",
  ],
  channelDeadLetters: [
    "Every message to the channel arrived. What it does not take stands here.",
    "Jede Nachricht an den Kanal kam an. Was er nicht annimmt, steht hier.",
  ],
  channels: [
    "No sales channels yet. A channel is told what is available.",
    "Noch keine Verkaufskanäle. Ein Kanal erfährt, was verfügbar ist.",
  ],
  collections: [
    "Nothing is collected. Parcels with a label are, where their carrier account says when they are fetched.",
    "Nichts wird abgeholt. Pakete mit Etikett werden es, wo das Konto beim Versanddienst sagt, wann.",
  ],
  connectors: [
    "No connectors are installed. Those in the folder for connectors are there after the next start.",
    "Es sind keine Konnektoren installiert. Was im Ordner für Konnektoren liegt, ist nach dem nächsten Start da.",
  ],
  consumerGroups: [
    "No consumer groups yet. Programs that ask for events have one.",
    "Noch keine Gruppen. Programme, die Ereignisse abfragen, haben eine.",
  ],
  counterSales: ["No counter sales yet. Tills send them.", "Noch keine Thekenverkäufe. Kassen schicken sie."],
  counts: [
    "No counts yet. They are asked for here, by a programme, or by a short pick.",
    "Noch keine Zählungen. Sie werden hier verlangt, von einem Programm oder nach einer Fehlmenge.",
  ],
  deadLetters: [
    "Nothing failed for good. What a subscriber does not take stands here, to be sent again.",
    "Nichts ist endgültig gescheitert. Was ein Abonnent nicht annimmt, steht hier zum erneuten Senden.",
  ],
  deliveries: [
    "Nothing was sent yet. Deliveries stand here once an event happens.",
    "Noch wurde nichts gesendet. Zustellungen stehen hier, sobald ein Ereignis eintritt.",
  ],
  expiring: [
    "Nothing here expires within 30 days, and nothing has expired.",
    "Nichts läuft in 30 Tagen ab, und nichts ist abgelaufen.",
  ],
  heldOrders: [
    "No orders are held. Those that the fraud rule stops wait here for a decision.",
    "Kein Auftrag ist in Prüfung. Was die Regel gegen Betrug anhält, wartet hier auf eine Entscheidung.",
  ],
  holds: [
    "Nothing is held. Units are held at their row in “Stock”.",
    "Nichts ist gesperrt. Gesperrt wird an der Zeile unter „Bestand“.",
  ],
  inbound: [
    "No record came in yet. They are pushed by the systems that are allowed to.",
    "Noch kam kein Datensatz herein. Sie kommen von den Systemen, denen es erlaubt ist.",
  ],
  inspections: [
    "No goods wait for an inspection. What comes in with a doubt, and damage, is inspected here.",
    "Keine Ware wartet auf eine Prüfung. Was fraglich hereinkommt oder beschädigt ist, wird hier geprüft.",
  ],
  items: [
    "No items yet. They come from a file, a shop or a partner, or are made here.",
    "Noch keine Artikel. Sie kommen aus einer Datei, aus einem Shop, von Partnern oder werden hier angelegt.",
  ],
  jobs: [
    "Nothing was printed yet. What is sent to a printer stands here, with whether it was printed.",
    "Noch wurde nichts gedruckt. Was an einen Drucker geht, steht hier, und ob es gedruckt wurde.",
  ],
  links: [
    "No records are linked yet. A link is made when a system pushes one that it knows by its own number.",
    "Noch sind keine Datensätze verknüpft. Das geschieht, wenn ein System einen unter seiner Kennung schickt.",
  ],
  lots: [
    "No lots yet. They are made when items with lots are received.",
    "Noch keine Chargen. Sie entstehen beim Wareneingang von Artikeln mit Chargen.",
  ],
  messages: ["No message was sent yet.", "Noch wurde keine Nachricht gesendet."],
  moves: [
    "Nothing was moved yet. Stock is moved here between warehouses, or between bins.",
    "Noch wurde nichts umgelagert. Hier kommt Bestand in ein anderes Lager oder auf einen anderen Platz.",
  ],
  notifications: [
    "Nobody is notified yet. Add where messages are to go.",
    "Noch wird niemand benachrichtigt. Fügen Sie hinzu, wohin Nachrichten gehen sollen.",
  ],
  orders: [
    "No orders yet. They come from shops, partners and files, or are made here.",
    "Noch keine Aufträge. Sie kommen aus Shops, von Partnern, aus Dateien oder werden hier angelegt.",
  ],
  parcels: [
    "No parcels yet. They are packed at the scanner, or at the page of an order.",
    "Noch keine Pakete. Gepackt wird am Scanner oder auf der Seite eines Auftrags.",
  ],
  printers: [
    "No printers yet. Without one, all is printed by the browser.",
    "Noch keine Drucker. Ohne einen druckt alles der Browser.",
  ],
  programs: ["No programs are registered yet.", "Noch sind keine Programme eingetragen."],
  purchaseOrders: [
    "No purchase orders yet. They come from an ERP or a file, or are made here.",
    "Noch keine Bestellungen. Sie kommen aus einem ERP, aus einer Datei oder werden hier angelegt.",
  ],
  partnerLinks: [
    "No partner has a link yet. One opens a page on which a partner sets up its own webhooks.",
    "Noch hat kein Partner einen Link. Er öffnet eine Seite, auf der ein Partner seine Webhooks selbst einrichtet.",
  ],
  pushes: [
    "Nothing is to be told to a shop. Shipments are told once an order of a shop has left.",
    "Nichts ist an einen Shop zu melden. Gemeldet wird, sobald ein Auftrag eines Shops das Haus verlässt.",
  ],
  putAwayRules: [
    "No rules yet. Goods go to their preferred bin, or to where some lie already.",
    "Noch keine Regeln. Ware geht an ihren Vorzugsplatz oder dahin, wo schon welche liegt.",
  ],
  recallOrders: ["No order got any of it.", "Kein Auftrag hat davon etwas bekommen."],
  recalls: [
    "No recalls. One begins at the page of a lot or of a serial number.",
    "Keine Rückrufe. Einer beginnt auf der Seite einer Charge oder einer Seriennummer.",
  ],
  refusedRecords: ["Every record of the shop was taken.", "Jeder Datensatz des Shops wurde übernommen."],
  replenishments: [
    "Nothing is to be carried to a pick face. It is asked for where less lies there than the least.",
    "Nichts ist nachzufüllen. Verlangt wird es, wo am Pickplatz weniger liegt als das Mindeste.",
  ],
  returns: [
    "No returns yet. One is made at the page of an order that was shipped.",
    "Noch keine Retouren. Eine entsteht auf der Seite eines versandten Auftrags.",
  ],
  review: [
    "No difference waits for a decision. What a count finds otherwise than the books stands here.",
    "Keine Abweichung wartet auf eine Entscheidung. Was eine Zählung anders findet als gebucht, steht hier.",
  ],
  rules: [
    "No rules yet. The cheapest service of all is chosen.",
    "Noch keine Regeln. Gewählt wird der günstigste Dienst von allen.",
  ],
  sandboxes: [
    "No sandboxes. A partner tries things in one, before a real order is at stake.",
    "Keine Sandkästen. In einem probiert ein Partner, bevor es um einen echten Auftrag geht.",
  ],
  serials: [
    "No serial numbers yet. They are taken in with items that have some, when received or shipped.",
    "Noch keine Seriennummern. Sie werden im Wareneingang oder beim Versand erfasst, bei Artikeln mit solchen.",
  ],
  shipments: [
    "Nothing was shipped yet. Packed orders leave at the scanner or at their page.",
    "Noch wurde nichts versandt. Gepackte Aufträge gehen am Scanner oder auf ihrer Seite hinaus.",
  ],
  stock: [
    "Nothing lies here. Stock comes with deliveries, from a file, or by an adjustment.",
    "Hier liegt nichts. Bestand kommt mit Lieferungen, aus einer Datei oder durch eine Korrektur.",
  ],
  syncRuns: [
    "Nothing was read from the shop yet. Start a sync, or give it a schedule.",
    "Noch wurde nichts vom Shop gelesen. Starten Sie einen Abgleich oder geben Sie ihm einen Zeitplan.",
  ],
  tokens: [
    "No API tokens yet. Programs and tills sign in with one.",
    "Noch keine API-Token. Programme und Kassen melden sich mit einem an.",
  ],
  transferOrders: [
    "No transfer orders yet. They bring goods from one warehouse to another.",
    "Noch keine Umlagerungsaufträge. Sie bringen Ware von einem Lager in ein anderes.",
  ],
  users: ["No users yet.", "Noch keine Benutzer."],
  vendors: [
    "No vendors yet. They come with purchase orders from an ERP or a file, or are made here.",
    "Noch keine Lieferanten. Sie kommen mit Bestellungen aus einem ERP, aus einer Datei oder werden hier angelegt.",
  ],
  warehouses: ["No warehouses yet. Everything begins with one.", "Noch keine Lager. Mit einem beginnt alles."],
  waves: [
    "No wave has ended yet. Waves are released by a plan, by a template, or begun at the scanner.",
    "Noch ist keine Pickwelle zu Ende. Sie entstehen aus einem Plan, aus einer Vorlage oder am Scanner.",
  ],
  webhookErrors: ["No delivery failed.", "Keine Zustellung ist gescheitert."],
  webhooks: [
    "No webhooks yet. A subscriber is told of events as they happen.",
    "Noch keine Webhooks. Ein Abonnent erfährt von Ereignissen, sobald sie eintreten.",
  ],
  zones: ["No zones yet. Bins stand in zones.", "Noch keine Zonen. Plätze stehen in Zonen."],
} satisfies Record<string, Text>;

export type EmptyList = keyof typeof emptyLists;

/** Its first sentence, and what else it says. */
export function emptyText(list: EmptyList): { title: string; hint: string } {
  const [, title = "", hint = ""] = /^(.*?)\.(?: (.*))?$/.exec(nameIn(emptyLists satisfies Texts, list) ?? "") ?? [];
  return { title, hint };
}
