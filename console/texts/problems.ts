import { Refusal, Unreachable } from "../../client/src/index.js";
import { language } from "../shared/language.js";
import type { Text, Texts } from "./catalogue.js";

/** What refusals mean, by their code. One that has no text here says what the service said. */
const problems = {
  all_excluded: ["No order is left.", "Es bleibt kein Auftrag übrig."],
  already_verified: ["All of it is packed already.", "Davon ist schon alles gepackt."],
  ambiguous_barcode: ["Several items have this barcode.", "Mehrere Artikel haben diesen Barcode."],
  approval_not_pending: ["This was decided already.", "Darüber ist schon entschieden."],
  batch_not_active: ["This wave has ended already.", "Diese Welle ist schon beendet."],
  batch_not_found: ["There is no such wave.", "Diese Welle gibt es nicht."],
  batch_size_above_hard_cap: [
    "These are more deliveries than are allowed at once. Narrow them down, or confirm that many.",
    "Das sind mehr Zustellungen als auf einmal erlaubt. Grenzen Sie sie ein oder bestätigen Sie die Menge.",
  ],
  below_progress: [
    "Less than was already picked, packed or shipped.",
    "Weniger, als schon gepickt, gepackt oder versandt ist.",
  ],
  below_received: ["More than that was received already.", "Davon ist schon mehr eingegangen."],
  bin_elsewhere: ["This bin is in another warehouse.", "Dieser Platz gehört zu einem anderen Lager."],
  bin_exists: [
    "There is a bin of this name in the warehouse.",
    "Einen Platz mit dieser Bezeichnung gibt es in diesem Lager schon.",
  ],
  bin_has_stock: ["The bin is not empty.", "Der Platz ist nicht leer."],
  bin_is_preferred: ["The bin is a preferred bin of an item.", "Der Platz ist Vorzugsplatz eines Artikels."],
  bin_named: [
    "The bin was used already. Take it out of use instead.",
    "Der Platz wurde schon benutzt. Nehmen Sie ihn stattdessen außer Betrieb.",
  ],
  bin_not_found: ["There is no such bin.", "Diesen Platz gibt es nicht."],
  bin_not_pickable: ["Only picking bins can be preferred.", "Nur Kommissionierplätze können Vorzugsplatz sein."],
  bin_receives: [
    "Goods are received into this bin. Choose another in the settings first.",
    "Auf diesem Platz kommt Ware an. Wählen Sie zuerst in den Einstellungen einen anderen.",
  ],
  blocked_destination: [
    "The address is not on the public internet.",
    "Die Adresse liegt nicht im öffentlichen Internet.",
  ],
  cannot_modify_revoked_subscription: ["This webhook was revoked.", "Dieser Webhook wurde widerrufen."],
  channel_id_taken: ["There is a channel with this id already.", "Es gibt schon einen Kanal mit dieser Kennung."],
  connector_in_use: ["This program still owns something.", "Diesem Programm gehört noch etwas."],
  connector_not_found: ["There is no such partner program.", "Dieses Partnerprogramm gibt es nicht."],
  constraint_violation: ["Records came with it, so it stays.", "Damit kamen Daten, deshalb bleibt es."],
  count_not_found: ["There is no such count.", "Diese Zählung gibt es nicht."],
  counted_again: [
    "Counted again since: {counted_quantity} × {sku} in count {count_id}.",
    "Inzwischen neu gezählt: {counted_quantity} × {sku} in Zählung {count_id}.",
  ],
  count_not_open: ["This bin was counted already.", "Dieser Platz wurde schon gezählt."],
  cursor_beyond_horizon: ["There is no such event yet.", "Dieses Ereignis gibt es noch nicht."],
  destination_elsewhere: ["This bin is in another warehouse.", "Dieser Platz gehört zu einem anderen Lager."],
  dlq_ceiling_above_hard_cap: ["The limit of those given up is too high.", "Die Grenze für aufgegebene ist zu hoch."],
  duplicate_connector_id: [
    "There is a program with this id already.",
    "Es gibt schon ein Programm mit dieser Kennung.",
  ],
  duplicate_consumer_group_id: [
    "There is a group with this name already.",
    "Es gibt schon eine Gruppe mit diesem Namen.",
  ],
  duplicate_source_system: ["This system may push already.", "Dieses System darf bereits senden."],
  edit_forbidden: [
    "You may not edit an order in this status.",
    "In diesem Status dürfen Sie den Auftrag nicht bearbeiten.",
  ],
  forbidden: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  has_receipts: ["Goods of this return have come.", "Zu dieser Retoure ist schon Ware eingegangen."],
  has_refund: ["This return was refunded.", "Diese Retoure wurde erstattet."],
  has_returns: ["Goods of this order come back.", "Zu diesem Auftrag gibt es Retouren."],
  host_not_allowed: ["This is not an address of such a shop.", "Das ist keine Adresse eines solchen Shops."],
  https_required: ["The URL must begin with https://.", "Die URL muss mit https:// beginnen."],
  in_active_batch: [
    "This order is being picked. Complete or cancel that wave first.",
    "Der Auftrag wird gerade gepickt. Beenden Sie zuerst die Pickwelle.",
  ],
  insufficient_available: ["The bin has less than that.", "So viel liegt nicht auf dem Platz."],
  insufficient_stock: ["There is not that much in the bin.", "So viel liegt nicht auf dem Platz."],
  integrity_constraint_violation: ["Records came with it, so it stays.", "Damit kamen Daten, deshalb bleibt es."],
  internal_error: ["The service failed. Try again.", "Der Dienst hatte einen Fehler. Versuchen Sie es noch einmal."],
  invalid_credentials: ["Username or password is wrong.", "Benutzername oder Passwort ist falsch."],
  invalid_line_status_for_short_close: [
    "This line holds nothing that could be given up.",
    "Diese Position hält nichts, worauf man verzichten könnte.",
  ],
  invalid_status_for_cancel: [
    "In its state the order cannot be cancelled.",
    "In diesem Zustand kann der Auftrag nicht storniert werden.",
  ],
  invalid_status_for_start_picking: [
    "In its state the order cannot be picked.",
    "In diesem Zustand kann der Auftrag nicht gepickt werden.",
  ],
  invalid_status_for_submit: [
    "In its state nothing can be submitted.",
    "In diesem Zustand kann nichts eingereicht werden.",
  ],
  item_awaits_review: ["Adjustments of the item wait for review.", "Korrekturen des Artikels warten auf Prüfung."],
  item_has_stock: ["The item is in stock.", "Von dem Artikel ist noch Bestand da."],
  item_named: [
    "The item was moved already. Archive it instead.",
    "Der Artikel wurde schon bewegt. Archivieren Sie ihn stattdessen.",
  ],
  item_not_found: ["There is no such item.", "Diesen Artikel gibt es nicht."],
  item_not_on_po: ["This item is not on the order.", "Dieser Artikel steht nicht auf der Bestellung."],
  item_on_order: ["This item is already on the order.", "Dieser Artikel steht schon auf dem Auftrag."],
  item_on_po: ["This item is on the order already.", "Dieser Artikel steht schon auf der Bestellung."],
  item_purchased: [
    "Purchase orders name the item. Archive it instead.",
    "Der Artikel steht auf Bestellungen. Archivieren Sie ihn stattdessen.",
  ],
  item_sold: [
    "Sales orders name the item. Archive it instead.",
    "Der Artikel steht auf Kundenaufträgen. Archivieren Sie ihn stattdessen.",
  ],
  line_has_progress: [
    "The line is already picked, packed or shipped.",
    "Die Position ist schon gepickt, gepackt oder versandt.",
  ],
  live_deliveries_block_hard_delete: [
    "Deliveries are still on the way. Revoke it and wait.",
    "Es sind noch Zustellungen unterwegs. Widerrufen Sie ihn und warten Sie.",
  ],
  mapping_document_invalid: ["The mapping document has faults.", "Das Mapping-Dokument hat Fehler."],
  mapping_document_missing: [
    "There is no mapping document for this system.",
    "Für dieses System gibt es kein Mapping-Dokument.",
  ],
  no_destination_staging_bin: ["The destination has no staging bin.", "Das Ziel hat keinen Bereitstellplatz."],
  no_lines_to_pick: ["There is nothing left to pick.", "Es gibt nichts mehr zu picken."],
  no_pickable_inventory: [
    "What the order holds lies in bins out of use.",
    "Was reserviert ist, liegt auf Plätzen außer Betrieb.",
  ],
  not_all_verified: ["Not everything is packed yet.", "Es ist noch nicht alles gepackt."],
  not_allocatable: ["In this status nothing is reserved.", "In diesem Status wird nichts reserviert."],
  not_cancellable: ["An order in this status is not cancelled.", "In diesem Status ist der Auftrag nicht stornierbar."],
  not_in_review: ["This order is not held any more.", "Dieser Auftrag ist nicht mehr angehalten."],
  not_on_order: ["This item is not on the order.", "Dieser Artikel gehört nicht zum Auftrag."],
  nothing_left: [
    "Nothing would be left of the order. Cancel it instead.",
    "Vom Auftrag bliebe nichts übrig. Stornieren Sie ihn stattdessen.",
  ],
  nothing_picked: [
    "Nothing was picked that is not submitted already.",
    "Es ist nichts gepickt, das nicht schon eingereicht ist.",
  ],
  nothing_to_import: ["The file has no rows.", "Die Datei hat keine Zeilen."],
  nothing_to_print: ["There is nothing to print.", "Es gibt nichts zu drucken."],
  nothing_to_ship: ["Nothing was picked.", "Es wurde nichts gepickt."],
  order_being_picked: [
    "This order is being picked. Complete or cancel that wave first.",
    "Der Auftrag wird gerade gepickt. Beenden Sie zuerst die Pickwelle.",
  ],
  order_closed: ["This order is closed.", "Dieser Auftrag ist abgeschlossen."],
  order_in_wave: ["Somebody picks one of these orders already.", "Einer dieser Aufträge wird schon gepickt."],
  order_not_open: ["One of these orders is no longer open.", "Einer dieser Aufträge ist nicht mehr offen."],
  over_pack: ["More than was picked.", "Mehr als gepickt."],
  over_pick: ["More than is left to pick.", "Mehr, als noch zu picken ist."],
  over_receipt: ["More than was ordered.", "Mehr als bestellt."],
  over_return: ["More than can come back.", "Mehr, als zurückkommen kann."],
  over_short: ["More than is left to pick.", "Mehr, als noch zu picken ist."],
  own_count: [
    "You counted this yourself. Somebody else has to approve it.",
    "Das haben Sie selbst gezählt. Jemand anders muss es freigeben.",
  ],
  pending_ceiling_above_hard_cap: [
    "The limit of waiting deliveries is too high.",
    "Die Grenze für wartende Zustellungen ist zu hoch.",
  ],
  permission_denied: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  picked_by_another: ["Somebody else is picking this order.", "Jemand anders pickt diesen Auftrag gerade."],
  picked_qty_remaining: ["Everything that was picked has to be put back.", "Alles Gepickte muss zurückgelegt werden."],
  picks_more_than_task: ["More than is to be picked.", "Mehr als zu picken ist."],
  po_already_closed: ["The purchase order is closed already.", "Die Bestellung ist schon abgeschlossen."],
  po_exists: ["There is a purchase order with this number.", "Eine Bestellung mit dieser Nummer gibt es schon."],
  po_locked: [
    "The purchase order is closed. Reopen it first.",
    "Die Bestellung ist abgeschlossen. Öffnen Sie sie zuerst wieder.",
  ],
  po_not_found: ["There is no such purchase order.", "Diese Bestellung gibt es nicht."],
  po_not_open: ["This purchase order is closed.", "Diese Bestellung ist abgeschlossen."],
  private_destination: [
    "The address is not on the public internet.",
    "Die Adresse liegt nicht im öffentlichen Internet.",
  ],
  promised_to_picks: ["These units are promised to orders.", "Diese Stück sind für Aufträge reserviert."],
  receipt_not_available: [
    "Its units are reserved or have left the warehouse.",
    "Die Ware ist reserviert oder nicht mehr im Lager.",
  ],
  record_linked: [
    "The record is linked to another id of this system already.",
    "Der Datensatz hat schon eine andere Kennung dieses Systems.",
  ],
  record_not_found: ["There is no such record.", "Diesen Datensatz gibt es nicht."],
  replay_batch_global_throttled: [
    "Too many replays of all webhooks. Wait some minutes.",
    "Zu viele Wiederholungen über alle Webhooks. Warten Sie einige Minuten.",
  ],
  replay_batch_throttled: [
    "This webhook was replayed a moment ago. Wait a minute.",
    "Dieser Webhook wurde gerade erst wiederholt. Warten Sie eine Minute.",
  ],
  replay_would_exceed_pending_ceiling: [
    "So many would pause the webhook. Narrow them down, or raise the limit of waiting ones.",
    "So viele würden den Webhook anhalten. Grenzen Sie sie ein oder erhöhen Sie die Grenze für wartende.",
  ],
  return_not_open: ["Nothing more is received on this return.", "Auf diese Retoure geht nichts mehr ein."],
  row_errors: [
    "Some rows of the file are wrong. Nothing was imported.",
    "Einige Zeilen der Datei sind falsch. Es wurde nichts importiert.",
  ],
  scan_in_wave: ["Somebody picks this order already.", "Dieser Auftrag wird schon gepickt."],
  scan_not_open: ["This order is not open.", "Dieser Auftrag ist nicht offen."],
  scan_transfer_not_started: ["Nobody began to pick this transfer.", "Diese Umlagerung wurde noch nicht begonnen."],
  scan_transfer_of_another: ["Somebody else picks this transfer.", "Diese Umlagerung pickt jemand anderes."],
  scan_transfer_status: ["This transfer cannot be picked now.", "Diese Umlagerung ist jetzt nicht zu picken."],
  scan_unknown: ["There is no such order.", "Diesen Auftrag gibt es nicht."],
  scan_without_items: ["Nothing is on this order.", "Auf diesem Auftrag steht nichts."],
  secrets_needed: [
    "The address leads to another server: enter the secret fields again as well.",
    "Die Adresse führt zu einem anderen Server: Geben Sie auch die geheimen Felder neu ein.",
  ],
  self_approval_blocked: [
    "You submitted this yourself. Somebody else has to approve it.",
    "Das haben Sie selbst eingereicht. Jemand anders muss es freigeben.",
  ],
  shop_changed: [
    "Records came from another address. Say below whether this is the same shop.",
    "Es kamen schon Daten von einer anderen Adresse. Sagen Sie unten, ob das derselbe Shop ist.",
  ],
  silent_shortfall: ["Something is missing that nobody reported.", "Es fehlt etwas, das niemand gemeldet hat."],
  sku_exists: ["There is an item with this SKU.", "Einen Artikel mit dieser SKU gibt es schon."],
  shipped_without_picks: [
    "It left without picks. Refund or return it instead.",
    "Er ging ohne Picks hinaus. Erstatten Sie ihn, oder nehmen Sie ihn zurück.",
  ],
  so_exists: ["There is an order with this number already.", "Einen Auftrag mit dieser Nummer gibt es schon."],
  so_line_not_found: ["There is no such line any more.", "Diese Position gibt es nicht mehr."],
  so_not_found: ["There is no such order.", "Diesen Auftrag gibt es nicht."],
  so_not_packed: ["This order is not packed yet.", "Dieser Auftrag ist noch nicht gepackt."],
  so_not_picked: ["This order is not ready to be packed.", "Dieser Auftrag ist nicht packbereit."],
  so_not_shippable: ["This order is not ready to be shipped.", "Dieser Auftrag ist nicht versandbereit."],
  source_and_destination_must_differ: [
    "Source and destination are the same warehouse.",
    "Ursprung und Ziel sind dasselbe Lager.",
  ],
  source_id_linked: [
    "This id is linked to a record already.",
    "Diese Kennung ist schon mit einem Datensatz verknüpft.",
  ],
  source_link_not_found: ["This link is gone already.", "Diese Verknüpfung gibt es nicht mehr."],
  source_system_exists: ["This system may push already.", "Dieses System darf bereits senden."],
  source_system_in_use: [
    "This system has tokens or pushed records.",
    "Dieses System hat Token oder hat Daten gesendet.",
  ],
  status_not_editable: [
    "The order cannot be shipped in this status.",
    "In diesem Status ist der Auftrag nicht versandfertig.",
  ],
  sync_already_running: ["This sync is running already.", "Dieser Abgleich läuft schon."],
  sync_running: ["This sync is running already.", "Dieser Abgleich läuft schon."],
  task_not_pending: ["This was picked already.", "Das wurde schon gepickt."],
  tasks_pending: ["Something is still to be picked.", "Es ist noch etwas zu picken."],
  to_already_partially_approved: [
    "A part has arrived already. Close the lines short instead.",
    "Ein Teil ist schon angekommen. Beenden Sie stattdessen die Positionen mit Fehlmenge.",
  ],
  to_not_deletable: ["It was picked or submitted already.", "Er wurde schon gepickt oder eingereicht."],
  too_many_labels: ["Too many labels at once.", "Zu viele Etiketten auf einmal."],
  too_many_records: ["The file has too many rows.", "Die Datei hat zu viele Zeilen."],
  too_many_requests: ["Too many requests. Wait a moment.", "Zu viele Anfragen. Warten Sie einen Moment."],
  tracking_required: ["A tracking number is missing.", "Die Sendungsnummer fehlt."],
  transfer_batch: ["This is a transfer: the office cancels it.", "Das ist eine Umlagerung: Das Büro storniert sie."],
  transfer_order_not_found: ["There is no such transfer order.", "Diesen Umlagerungsauftrag gibt es nicht."],
  transfer_over_pick: ["More than is to be picked.", "Mehr als zu picken ist."],
  upc_exists: ["There is an item with this barcode.", "Einen Artikel mit diesem Barcode gibt es schon."],
  url_reuse_tombstone: [
    "A deleted webhook sent to this URL. Confirm that this is known.",
    "An diese URL sendete ein gelöschter Webhook. Bestätigen Sie, dass das bekannt ist.",
  ],
  vendor_named: ["Purchase orders name this vendor.", "Dieser Lieferant steht auf Bestellungen."],
  warehouse_denied: ["You may not use this warehouse.", "Dieses Lager ist Ihnen nicht erlaubt."],
  warehouse_exists: ["There is a warehouse with this code.", "Ein Lager mit diesem Kürzel gibt es schon."],
  warehouse_has_bins: ["The warehouse has bins.", "Das Lager hat noch Plätze."],
  warehouse_has_stock: ["There is stock in the warehouse.", "Im Lager ist noch Bestand."],
  warehouse_has_zones: ["The warehouse has zones.", "Das Lager hat noch Zonen."],
  warehouse_named: [
    "Orders name this warehouse. Take it out of use instead.",
    "Das Lager steht auf Aufträgen. Nehmen Sie es stattdessen außer Betrieb.",
  ],
  webhook_test_throttled: [
    "It was tested a moment ago. Wait some seconds.",
    "Er wurde gerade erst getestet. Warten Sie einige Sekunden.",
  ],
  workflow_engine_unavailable: [
    "Temporal does not answer. Try again.",
    "Temporal antwortet nicht. Versuchen Sie es noch einmal.",
  ],
  wrong_current_password: ["The current password is wrong.", "Das bisherige Passwort ist falsch."],
  wrong_item: ["This is the wrong item.", "Das ist der falsche Artikel."],
  wrong_lot: ["This is another lot.", "Das ist eine andere Charge."],
  zone_exists: [
    "There is a zone with this code in the warehouse.",
    "Eine Zone mit diesem Kürzel gibt es in diesem Lager schon.",
  ],
  zone_has_bins: ["There are bins in the zone.", "In der Zone sind noch Plätze."],
} as const satisfies Texts;

const unreachable: Text = ["The service does not answer.", "Der Dienst antwortet nicht."];

/** An error in the words of the reader. */
export function errorText(error: unknown): string {
  const index = language() === "de" ? 1 : 0;
  if (error instanceof Unreachable) return unreachable[index];
  if (error instanceof Refusal) {
    const { body } = error;
    const text = (problems as Texts)[error.code]?.[index] ?? error.message;
    return text.replace(/\{(\w+)\}/g, (place, name: string) => String(body[name] ?? place));
  }
  return error instanceof Error ? error.message : String(error);
}
