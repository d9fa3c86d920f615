import { catalogue } from "./catalogue.js";

/** The settings by their keys, each with what it does. */
export const t = catalogue({
  BACKORDER_WAREHOUSE_CODE: ["Warehouse of backorders", "Lager der Rückstände"],
  BACKORDER_WAREHOUSE_CODE_hint: [
    "What an order lacks becomes a backorder of this warehouse; without one, of the order's own.",
    "Was einem Auftrag fehlt, wird ein Rückstand dieses Lagers; sonst des Lagers, das der Auftrag hat.",
  ],
  allow_over_receiving: ["Receive more than was ordered", "Mehr als bestellt vereinnahmen"],
  allow_over_receiving_hint: [
    "Otherwise a receipt above the ordered quantity is refused.",
    "Sonst wird ein Wareneingang über der bestellten Menge abgelehnt.",
  ],
  badge_sign_in: ["Sign in with badges", "Mit Ausweis anmelden"],
  badge_sign_in_hint: [
    "At the scanner: scan the own badge and type its PIN. Badges are made at the page of a user.",
    "Am Scanner: den eigenen Ausweis scannen und seine PIN eingeben. Ausweise entstehen auf der Seite eines Benutzers.",
  ],
  sso_required: ["Sign in at the provider alone", "Nur beim Anbieter anmelden"],
  sso_required_hint: [
    "Passwords and badges are refused, except of administrators who are kept for emergencies.",
    "Passwörter und Ausweise werden abgelehnt, außer bei Administratoren, die für Notfälle bleiben.",
  ],
  batch_idle_release_hours: ["Release idle waves after (hours)", "Ruhende Pickwellen freigeben nach (Stunden)"],
  batch_idle_release_hours_hint: [
    "A wave without a scan for so long gives its orders back; 0 is never.",
    "Eine Pickwelle, in der so lange nichts gescannt wurde, gibt ihre Aufträge zurück; 0 heißt nie.",
  ],
  replenishment_look_minutes: ["Look at pick faces every (minutes)", "Greifplätze prüfen alle (Minuten)"],
  replenishment_look_minutes_hint: [
    "How often tasks to fill up pick faces are made; 0: only when something is carried or released.",
    "Wie oft Aufgaben zum Auffüllen der Greifplätze entstehen; 0: nur wenn etwas getragen oder freigegeben wird.",
  ],
  company_currency: ["Currency", "Währung"],
  company_currency_hint: [
    "Of amounts whose order names none, such as EUR.",
    "Von Beträgen, deren Auftrag keine nennt, etwa EUR.",
  ],
  count_show_expected: ["Show the expected quantity in counts", "Sollmenge bei Zählungen zeigen"],
  count_show_expected_hint: [
    "When off, people count blind: the scanner does not say how many there should be.",
    "Ausgeschaltet wird blind gezählt: Der Scanner sagt nicht, wie viele es sein sollten.",
  ],
  dashboard_bubble_origins: ["Origins on the dashboard", "Herkünfte in der Übersicht"],
  dashboard_bubble_origins_hint: [
    "The shipping overview counts the orders of these origins; a line each: web = Web shop.",
    "Die Versandübersicht zählt Aufträge dieser Herkünfte; je eine Zeile: web = Webshop.",
  ],
  default_receiving_bin: ["Default receiving bin", "Standardplatz im Wareneingang"],
  default_receiving_bin_hint: [
    "Picked units of a cancelled order are put back into this bin.",
    "Gepickte Ware eines stornierten Auftrags wird auf diesen Platz zurückgebucht.",
  ],
  enforce_allowed_functions: ["Enforce functions of users", "Funktionen der Benutzer durchsetzen"],
  enforce_allowed_functions_hint: [
    "Refuses work on the floor for which the user has no function. Off, functions only shape the scanner's menu.",
    "Lehnt Arbeiten ab, für die der Benutzer keine Funktion hat. Sonst bestimmen Funktionen nur das Menü des Scanners.",
  ],
  fraud_review_billing_shipping: [
    "Hold orders with different shipping and billing addresses",
    "Aufträge mit abweichender Lieferadresse anhalten",
  ],
  fraud_review_billing_shipping_hint: [
    "A new order whose two addresses differ waits until somebody releases it.",
    "Ein neuer Auftrag mit zwei verschiedenen Adressen wartet, bis ihn jemand freigibt.",
  ],
  pick_lease_minutes: [
    "A scanner keeps its wave without the net for (minutes)",
    "Ein Scanner behält seine Welle ohne Netz (Minuten)",
  ],
  pick_lease_minutes_hint: [
    "Counted from when it was heard last. Then another one may pick the wave without taking it over.",
    "Gezählt, seit er zuletzt gehört wurde. Danach kann ein anderer die Welle picken, ohne sie zu übernehmen.",
  ],
  picking_ticket_company_address: ["Address of the company", "Anschrift der Firma"],
  picking_ticket_company_address_hint: ["Below the name of the company.", "Unter dem Namen der Firma."],
  picking_ticket_company_name: ["Name of the company", "Name der Firma"],
  picking_ticket_company_name_hint: [
    "At the head of picking tickets and packing slips.",
    "Im Kopf von Pickscheinen und Lieferscheinen.",
  ],
  picking_ticket_logo_url: ["URL of the logo", "URL des Logos"],
  picking_ticket_logo_url_hint: ["At the head of picking tickets.", "Im Kopf von Pickscheinen."],
  picking_ticket_returns_text: ["Text on returns", "Text zu Retouren"],
  picking_ticket_returns_text_hint: [
    "At the foot of picking tickets and packing slips.",
    "Am Fuß von Pickscheinen und Lieferscheinen.",
  ],
  scanner_idle_minutes: ["Scanners sign out after (minutes)", "Scanner abmelden nach (Minuten)"],
  scanner_idle_minutes_hint: [
    "Without a touch or scan for so long; what is not yet sent stays with its user. 0 is never.",
    "So lange ohne Berührung oder Scan; was noch nicht gesendet ist, bleibt bei seinem Benutzer. 0 heißt nie.",
  ],
  pos_activity_enabled: ["Show counter sales", "Thekenverkäufe zeigen"],
  pos_activity_enabled_hint: ["Shows the page of counter sales.", "Zeigt die Seite Thekenverkäufe."],
  require_count_approval_separation: ["Somebody else approves counts", "Eigene Zählungen gibt jemand anders frei"],
  require_count_approval_separation_hint: [
    "Who counted cannot approve that count.",
    "Wer gezählt hat, kann diese Zählung nicht freigeben.",
  ],
  require_packing_before_shipping: ["Pack before shipping", "Vor dem Versand packen"],
  require_packing_before_shipping_hint: [
    "Orders ship only once they are packed. It cannot be switched off while packed orders wait.",
    "Nur gepackte Aufträge werden versandt. Solange gepackte Aufträge warten, lässt es sich nicht ausschalten.",
  ],
  short_pick_creates_count: ["Count bins that were picked short", "Plätze nach Fehlmengen zählen"],
  short_pick_creates_count_hint: [
    "The bin is put on the list of bins to count, and what the books still say of it is promised to nobody until then.",
    "Der Platz kommt auf die Zählliste, und was laut Bestand noch dort ist, wird bis dahin niemandem zugesagt.",
  ],
  short_decision_hours: ["Decide about short orders after (hours)", "Über Fehlmengen entscheiden nach (Stunden)"],
  short_decision_hours_hint: [
    "When nobody decided by then about an order that was picked short, this is done; 0 is never.",
    "Hat bis dahin niemand über einen mit Fehlmenge gepickten Auftrag entschieden, geschieht dies; 0 heißt nie.",
  ],
  short_decision_otherwise: ["What is decided then", "Was dann entschieden wird"],
  short_decision_otherwise_hint: [
    "As somebody would at the order; what was not found is in its story.",
    "Wie es jemand am Auftrag täte; was nicht gefunden wurde, steht in dessen Verlauf.",
  ],
  inspect_receipts: ["Inspect what is received into quality zones", "Wareneingang in Qualitätszonen prüfen"],
  inspect_receipts_hint: [
    "It waits in quarantine for a decision; otherwise it may be moved out of the zone and sold.",
    "Er wartet in Quarantäne auf eine Entscheidung; sonst darf er aus der Zone geholt und verkauft werden.",
  ],
  inspection_reminder_hours: ["Remind of inspections after (hours)", "An Prüfungen erinnern nach (Stunden)"],
  inspection_reminder_hours_hint: [
    "Goods in quarantine that wait for so long are told of, and again each time; 0 is never.",
    "Ware in Quarantäne, die so lange wartet, wird gemeldet, und danach immer wieder; 0 heißt nie.",
  ],
  inspection_deadline_hours: ["An inspection may take (hours)", "Eine Prüfung darf dauern (Stunden)"],
  inspection_deadline_hours_hint: [
    "Of new inspections; what takes longer is overdue, which is told once; 0 is any time.",
    "Für neue Prüfungen; was länger dauert, ist überfällig, was einmal gemeldet wird; 0 heißt beliebig lange.",
  ],
  parcel_late_days: ["A parcel is late after (days)", "Ein Paket ist verspätet nach (Tagen)"],
  parcel_late_days_hint: [
    "After the day on which its carrier wanted to deliver it; then it is in the inbox; 0 is never.",
    "Nach dem Tag, an dem der Versanddienst es bringen wollte; dann steht es im Eingang; 0 heißt nie.",
  ],
  parcel_lost_days: ["A parcel is lost after (days)", "Ein Paket ist verschollen nach (Tagen)"],
  parcel_lost_days_hint: [
    "Without a scan by its carrier; then it is in the inbox; 0 is never.",
    "Ohne einen Scan des Versanddienstes; dann steht es im Eingang; 0 heißt nie.",
  ],
  parcel_tracking_days: ["Ask where parcels are for (days)", "Nach Paketen fragen (Tage lang)"],
  parcel_tracking_days_hint: [
    "After they left, unless they are delivered before; 0 is until then.",
    "Nach dem Versand, wenn sie nicht vorher zugestellt sind; 0 heißt bis dahin.",
  ],
  returns_expire_days: ["End returns that nobody touched after (days)", "Unberührte Retouren beenden nach (Tagen)"],
  returns_expire_days_hint: [
    "Where nothing came it is voided, else the rest is not expected any more; 0 is never.",
    "Ist nichts gekommen, wird sie storniert, sonst der Rest nicht mehr erwartet; 0 heißt nie.",
  ],
  session_timeout_hours: ["A login lasts (hours)", "Eine Anmeldung gilt (Stunden)"],
  session_timeout_hours_hint: ["A whole number from 1 to 8760.", "Eine ganze Zahl von 1 bis 8760."],
  transfer_approval_reminder_hours: ["Remind of approvals after (hours)", "An Freigaben erinnern nach (Stunden)"],
  transfer_approval_reminder_hours_hint: [
    "Submitted picks of a transfer order that wait for so long are noted in the audit log; 0 is never.",
    "Eingereichte Picks einer Umlagerung, die so lange warten, stehen dann im Protokoll; 0 heißt nie.",
  ],
  transfer_order_block_self_approval: [
    "Somebody else approves transfers",
    "Eigene Umlagerungen gibt jemand anders frei",
  ],
  transfer_order_block_self_approval_hint: [
    "Who submitted the picks of a transfer order cannot approve them.",
    "Wer die Picks einer Umlagerung eingereicht hat, kann sie nicht freigeben.",
  ],
  changedAt: ["Changed {time}", "Geändert {time}"],
  clear: ["Clear", "Leeren"],
  agent_approval_hours: ["Approvals wait for (hours)", "Freigaben warten (Stunden)"],
  agent_approval_hours_hint: [
    "What nobody has approved by then does not happen; at most 168.",
    "Was bis dahin niemand freigegeben hat, geschieht nicht; höchstens 168.",
  ],
  agent_self_approval: ["Users approve what their own agents ask for", "Benutzer geben Wünsche eigener Agenten frei"],
  agent_self_approval_hint: [
    "Otherwise somebody else does, with the right for the same thing.",
    "Sonst tut es jemand anderes, der dasselbe darf.",
  ],
  agent_writes: ["What agents may change", "Was Agenten ändern dürfen"],
  agent_writes_hint: [
    "Agents are programs that work for a user. What takes something away always waits for a person.",
    "Agenten sind Programme, die für einen Benutzer arbeiten. Was etwas wegnimmt, wartet immer auf einen Menschen.",
  ],
  agentsAllow: ["What their user may change", "Was ihr Benutzer ändern darf"],
  agentsApprove: ["What a person approves", "Was ein Mensch freigibt"],
  agentsGroup: ["Agents", "Agenten"],
  agentsNever: ["Nothing", "Nichts"],
  countingGroup: ["Counting", "Zählen"],
  dashboardsGroup: ["Dashboards", "Übersichten"],
  history: ["Changes in the audit log", "Änderungen im Protokoll"],
  noBin: ["No such bin", "Kein solcher Platz"],
  noWarehouse: ["None", "Keines"],
  others: ["Other settings", "Weitere Einstellungen"],
  pickingGroup: ["Picking and shipping", "Picken und Versand"],
  receivingGroup: ["Goods in", "Wareneingang"],
  saveGroup: ["Save: {group}", "Speichern: {group}"],
  saved: ["Saved", "Gespeichert"],
  settings: ["Settings", "Einstellungen"],
  slipGroup: ["Picking tickets and packing slips", "Pickscheine und Lieferscheine"],
  shippingGroup: ["Parcels on their way", "Pakete unterwegs"],
  inspectionsGroup: ["Inspections", "Prüfungen"],
  transfersGroup: ["Transfer orders", "Umlagerungsaufträge"],
  usersGroup: ["Users", "Benutzer"],
});
