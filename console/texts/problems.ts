import { Refusal, Unreachable } from "../../client/src/index.js";
import { language } from "../shared/language.js";
import { filled, type Text, type Texts } from "./catalogue.js";
import { saidText } from "./faults.js";
import { fieldText } from "./fields.js";
import { mayNot } from "./may-not.js";
import { missing } from "./missing.js";
import { ofParcels } from "./parcel-problems.js";
import { ofPartners } from "./partner-problems.js";
import { rowFaultText } from "./row-faults.js";
import { statusText } from "./statuses.js";
import { addressFaults, customsGaps } from "./what-is-missing.js";

/** What refusals mean, by their code. One that has no text here says what the service said. */
const problems = {
  all_excluded: ["No order is left.", "Es bleibt kein Auftrag übrig."],
  agent_unknown: [
    "The service does not know this program. Begin anew in it.",
    "Der Dienst kennt dieses Programm nicht. Beginnen Sie dort von vorn.",
  ],
  agent_unreadable: [
    "What the program says of itself cannot be read at its address. Do not go on.",
    "Was das Programm über sich sagt, ist an seiner Adresse nicht zu lesen. Machen Sie nicht weiter.",
  ],
  redirect_not_registered: [
    "The program wants to be answered elsewhere than it registered. Do not go on.",
    "Das Programm will die Antwort woanders, als es angemeldet hat. Machen Sie nicht weiter.",
  ],
  resource_not_ours: ["The program asks for another service.", "Das Programm fragt nach einem anderen Dienst."],
  scope_unknown: [
    "The program asks for something that there is not: {message}",
    "Das Programm fragt nach etwas, das es nicht gibt: {message}",
  ],
  already_fulfilled: ["The order was shipped already.", "Der Auftrag ist schon versandt."],
  already_verified: ["All of it is packed already.", "Davon ist schon alles gepackt."],
  ambiguous_barcode: ["Several items have this barcode.", "Mehrere Artikel haben diesen Barcode."],
  address_incomplete: [
    "No carrier takes the shipping address of the order: {faults}. The desk corrects it.",
    "So nimmt kein Versanddienst die Lieferanschrift des Auftrags: {faults}. Das Büro korrigiert sie.",
  ],
  address_refused: ["The carrier refuses the address: {why}", "Der Versanddienst lehnt die Anschrift ab: {why}"],
  already_labelled: ["The parcel has a label already.", "Das Paket hat schon ein Versandetikett."],
  ambiguous_id: ["Several records have this id.", "Mehrere Datensätze haben diese Kennung."],
  approval_not_pending: ["This was decided already.", "Darüber ist schon entschieden."],
  approval_snapshot_empty: ["There is nothing left to approve.", "Es gibt nichts mehr freizugeben."],
  bad_printer_address: [
    "The address does not fit this kind of printer.",
    "Die Adresse passt nicht zu dieser Art von Drucker.",
  ],
  bad_reason: ["The reason is too long.", "Der Grund ist zu lang."],
  bad_setting: ["{message}", "Der Wert passt nicht: {message}"],
  barcode_length: ["A barcode has 1 to 100 characters.", "Ein Barcode hat 1 bis 100 Zeichen."],
  batch_has_picks: [
    "It was begun already: finish or cancel it.",
    "Hier wurde schon gepickt: bitte abschließen oder abbrechen.",
  ],
  batch_leased: [
    "{username} picks this wave, on device {device}.",
    "{username} pickt diese Welle, auf Gerät {device}.",
  ],
  batch_not_active: ["This wave has ended already.", "Diese Welle ist schon beendet."],
  batch_not_found: ["There is no such wave.", "Diese Welle gibt es nicht."],
  batch_assigned: ["Somebody picks this wave already.", "Diese Welle wird schon gepickt."],
  batch_of_another: ["{assigned_to} picks this wave.", "{assigned_to} pickt diese Welle."],
  batch_waits: [
    "This wave waits for a picker: take it as the next one first.",
    "Diese Welle wartet auf jemanden: bitte erst als nächste nehmen.",
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
  bin_inactive: ["The bin is out of use.", "Der Platz ist außer Betrieb."],
  bin_is_preferred: ["The bin is a preferred bin of an item.", "Der Platz ist Vorzugsplatz eines Artikels."],
  bin_named: [
    "The bin was used already. Take it out of use instead.",
    "Der Platz wurde schon benutzt. Nehmen Sie ihn stattdessen außer Betrieb.",
  ],
  bin_not_found: ["There is no such bin.", "Diesen Platz gibt es nicht."],
  carrier_account_exists: [
    "The warehouse has a carrier account of this name.",
    "Das Lager hat schon ein Konto mit diesem Namen.",
  ],
  carrier_account_inactive: ["This carrier account is not in use.", "Dieses Konto ist nicht in Gebrauch."],
  carrier_account_used: [
    "Labels were bought with this account: take it out of use instead.",
    "Mit diesem Konto wurden Etiketten gekauft: bitte stattdessen außer Gebrauch nehmen.",
  ],
  carrier_away: ["The carrier does not answer now: {why}", "Der Versanddienst antwortet gerade nicht: {why}"],
  carrier_not_configured: [
    "Fields of the carrier are missing or not valid.",
    "Felder des Versanddienstes fehlen oder sind ungültig.",
  ],
  carrier_refused: ["The carrier refuses it: {why}", "Der Versanddienst lehnt es ab: {why}"],
  carrier_rule_weights: [
    "The lowest weight has to be below the highest.",
    "Das kleinste Gewicht muss unter dem größten liegen.",
  ],
  carrier_secrets_needed: [
    "Another server: enter the secrets again.",
    "Ein anderer Server: bitte die Zugangsdaten erneut eingeben.",
  ],
  carries_more_than_task: ["That is more than the task has left.", "Das ist mehr, als die Aufgabe noch hat."],
  customs_currencies: [
    "The values of the items are in {currencies}: one currency is needed.",
    "Die Werte der Artikel sind in {currencies}: es geht nur eine Währung.",
  ],
  customs_incomplete: [
    "What customs ask for is missing of {items}. It is entered at the item.",
    "Was der Zoll wissen will, fehlt bei {items}. Es wird beim Artikel eingetragen.",
  ],
  document_not_on_size: [
    "This cannot be printed on the size that is in the printer.",
    "Das lässt sich nicht auf das Format drucken, das im Drucker liegt.",
  ],
  face_limits: [
    "A pick face has a lowest and a highest number of units and units of a case.",
    "Ein Greifplatz hat eine Mindest- und eine Höchstmenge und eine Gebindemenge.",
  ],
  face_in_reserve: [
    "The bin holds reserves, so it is no pick face.",
    "Der Platz hält Reserven und ist deshalb kein Greifplatz.",
  ],
  bin_not_pickable: ["Only picking bins can be preferred.", "Nur Pickplätze können Vorzugsplatz sein."],
  bin_receives: [
    "Goods are received into this bin. Choose another in the settings first.",
    "Auf diesem Platz kommt Ware an. Wählen Sie zuerst in den Einstellungen einen anderen.",
  ],
  bin_wrong_warehouse: ["This bin is in another warehouse.", "Dieser Platz gehört zu einem anderen Lager."],
  cancelled: ["The order is cancelled, which is final.", "Der Auftrag ist endgültig storniert."],
  constraint_violation: ["Records came with it, so it stays.", "Damit kamen Daten, deshalb bleibt es."],
  count_not_found: ["There is no such count.", "Diese Zählung gibt es nicht."],
  counted_again: [
    "Counted again since: {counted_quantity} × {sku} in count {count_id}.",
    "Inzwischen neu gezählt: {counted_quantity} × {sku} in Zählung {count_id}.",
  ],
  count_not_open: ["This bin was counted already.", "Dieser Platz wurde schon gezählt."],
  destination_elsewhere: ["This bin is in another warehouse.", "Dieser Platz gehört zu einem anderen Lager."],
  edit_forbidden: [
    "You may not edit an order in this status.",
    "In diesem Status dürfen Sie den Auftrag nicht bearbeiten.",
  ],
  empty: ["Nothing to pick was chosen.", "Es wurde nichts zum Picken gewählt."],
  expires_before_production: [
    "The last day is before the day of production.",
    "Der letzte Tag liegt vor dem Tag der Herstellung.",
  ],
  expiry_required: [
    "The last day is missing, or the day of production.",
    "Der letzte Tag fehlt, oder der Tag der Herstellung.",
  ],
  file_unreadable: ["{message}", "So ist die Datei nicht lesbar: {message}"],
  forbidden: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  has_receipts: ["Goods of this return have come.", "Zu dieser Retoure ist schon Ware eingegangen."],
  has_refund: ["This return was refunded.", "Diese Retoure wurde erstattet."],
  has_returns: ["Goods of this order come back.", "Zu diesem Auftrag gibt es Retouren."],
  hold_has_fewer: ["Fewer units are on hold.", "So viele Einheiten sind nicht gesperrt."],
  hold_not_found: ["There is no such hold.", "Diese Sperre gibt es nicht."],
  host_not_allowed: ["This is not an address of such a shop.", "Das ist keine Adresse eines solchen Shops."],
  https_required: ["The URL must begin with https://.", "Die URL muss mit https:// beginnen."],
  idempotency_key_reuse: [
    "Something else was sent under this key. Load the page again.",
    "Unter diesem Schlüssel wurde etwas anderes gesendet. Laden Sie die Seite neu.",
  ],
  idempotency_key_reused_with_different_body: [
    "Something else was sent under this key. Load the page again.",
    "Unter diesem Schlüssel wurde etwas anderes gesendet. Laden Sie die Seite neu.",
  ],
  in_active_batch: [
    "This order is being picked. Complete or cancel that wave first.",
    "Der Auftrag wird gerade gepickt. Beenden Sie zuerst die Pickwelle.",
  ],
  inspection_closed: ["The inspection is closed already.", "Die Prüfung ist schon abgeschlossen."],
  inspection_has_fewer: ["Fewer units are left to decide.", "So viele Einheiten sind nicht mehr offen."],
  inspection_not_found: ["There is no such inspection.", "Diese Prüfung gibt es nicht."],
  insufficient_available: ["The bin has less than that.", "So viel liegt nicht auf dem Platz."],
  insufficient_coverage: ["There is not enough stock for this.", "Dafür reicht der Bestand nicht."],
  insufficient_stock: [
    "There are {available} in {bin}, not {requested}.",
    "Auf {bin} liegen {available}, nicht {requested}.",
  ],
  integrity_constraint_violation: ["Records came with it, so it stays.", "Damit kamen Daten, deshalb bleibt es."],
  internal_error: ["The service failed. Try again.", "Der Dienst hatte einen Fehler. Versuchen Sie es noch einmal."],
  invalid_line_status_for_short_close: [
    "This line holds nothing that could be given up.",
    "Diese Position hält nichts, worauf man verzichten könnte.",
  ],
  invalid_status: ["The order cannot be taken back to that.", "So weit kann der Auftrag nicht zurückgesetzt werden."],
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
  invalid_view: ["This view cannot be shown.", "Diese Ansicht kann nicht gezeigt werden."],
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
  item_inactive: ["The item is not active.", "Der Artikel ist nicht aktiv."],
  labels_of_nothing: ["Choose bins or a zone.", "Wählen Sie Plätze oder eine Zone."],
  line_has_progress: [
    "The line is already picked, packed or shipped.",
    "Die Position ist schon gepickt, gepackt oder versandt.",
  ],
  live_deliveries_block_hard_delete: [
    "Deliveries are still on the way. Revoke it and wait.",
    "Es sind noch Zustellungen unterwegs. Widerrufen Sie ihn und warten Sie.",
  ],
  lot_conditions_differ: [
    "One of the lots is held and the other is not: hold or release one of them first.",
    "Eine der Chargen ist gesperrt, die andere nicht: Sperren Sie eine oder geben Sie eine frei.",
  ],
  layout_aisles_unknown: ["No bin is in these aisles: {aisles}.", "In diesen Gängen ist kein Platz: {aisles}."],
  layout_not_found: ["The warehouse has no layout.", "Das Lager hat keinen Lageplan."],
  lot_exists: ["The item has such a lot: merge the two.", "Der Artikel hat diese Charge: beide vereinen."],
  lot_expires_later: [
    "Lot {lot} expires later. Lot {planned} is to be picked first.",
    "Charge {lot} läuft später ab. Zuerst ist Charge {planned} zu picken.",
  ],
  lot_in_quarantine: ["Both lots are inspected: decide first.", "Beide Chargen werden geprüft: erst entscheiden."],
  lot_is_decided_whole: ["A lot is decided about as a whole.", "Über eine Charge wird im Ganzen entschieden."],
  lot_not_found: ["There is no such lot.", "Diese Charge gibt es nicht."],
  lease_lost: [
    "The wave is no longer on this device: {by} has taken it or ended its lease.",
    "Die Welle ist nicht mehr auf diesem Gerät: {by} hat sie übernommen oder dem Gerät genommen.",
  ],
  lot_not_free: ["Too little of this lot is free here.", "Von dieser Charge ist hier zu wenig frei."],
  lot_not_held: ["The lot is not held.", "Die Charge ist nicht gesperrt."],
  lot_of_another_item: [
    "These are not two records of one item's lot.",
    "Das sind nicht zwei Einträge einer Charge eines Artikels.",
  ],
  lot_not_kept: [
    "Lots of this item are not kept: leave the lot out.",
    "Chargen dieses Artikels werden nicht geführt: bitte weglassen.",
  ],
  lot_required: ["The number of the lot is missing.", "Die Nummer der Charge fehlt."],
  lot_recalled: ["The lot is on a recall that is open.", "Die Charge ist Teil eines offenen Rückrufs."],
  min_length: ["Type at least two characters.", "Geben Sie mindestens zwei Zeichen ein."],
  no_lease: ["No device has this wave.", "Kein Gerät hat diese Welle."],
  no_batch_waits: ["No wave waits to be picked.", "Es wartet keine Welle."],
  no_bin: [
    "The warehouse has no bin that the goods could have come from.",
    "Im Lager gibt es keinen Platz, von dem die Ware sein könnte.",
  ],
  no_destination_staging_bin: ["The destination has no staging bin.", "Das Ziel hat keinen Bereitstellplatz."],
  no_fields_to_update: ["Nothing was changed.", "Es wurde nichts geändert."],
  no_lines: ["Count each line first.", "Zählen Sie zuerst jede Zeile."],
  no_lines_to_pick: ["There is nothing left to pick.", "Es gibt nichts mehr zu picken."],
  no_pickable_inventory: [
    "What the order holds lies in bins out of use.",
    "Was reserviert ist, liegt auf Plätzen außer Betrieb.",
  ],
  not_a_backorder: ["This order is no backorder.", "Dieser Auftrag ist kein Rückstand."],
  not_a_po_receipt: ["This receipt is of a return.", "Dieser Wareneingang gehört zu einer Retoure."],
  not_a_return: ["This order is not a return.", "Dieser Auftrag ist keine Retoure."],
  not_a_transfer_batch: ["Only a transfer can be taken over.", "Nur eine Umlagerung kann übernommen werden."],
  not_all_verified: ["Not everything is packed yet.", "Es ist noch nicht alles gepackt."],
  not_allocatable: ["In this status nothing is reserved.", "In diesem Status wird nichts reserviert."],
  not_backward: ["The order has not come that far.", "So weit ist der Auftrag noch nicht."],
  not_cancellable: ["An order in this status is not cancelled.", "In diesem Status ist der Auftrag nicht stornierbar."],
  not_eligible: ["This cannot be done with such an order.", "Mit so einem Auftrag geht das nicht."],
  not_in_review: ["This order is not held any more.", "Dieser Auftrag ist nicht mehr angehalten."],
  not_on_order: ["This item is not on the order.", "Dieser Artikel gehört nicht zum Auftrag."],
  not_open: ["Only an open return is voided.", "Nur eine offene Retoure kann verworfen werden."],
  not_returnable: ["Nothing of this order can come back.", "Von diesem Auftrag kann nichts zurückkommen."],
  not_short: [
    "Nothing is missing any more, or somebody has decided already.",
    "Es fehlt nichts mehr, oder jemand hat schon entschieden.",
  ],
  nothing_left: [
    "Nothing would be left of the order. Cancel it instead.",
    "Vom Auftrag bliebe nichts übrig. Stornieren Sie ihn stattdessen.",
  ],
  nothing_picked: [
    "Nothing was picked that is not submitted already.",
    "Es ist nichts gepickt, das nicht schon eingereicht ist.",
  ],
  nothing_to_change: ["Nothing was changed.", "Es wurde nichts geändert."],
  nothing_to_hold: ["There are not so many units to hold.", "So viele Einheiten lassen sich nicht sperren."],
  collection_not_found: ["There is no such collection.", "Diese Abholung gibt es nicht."],
  manifest_not_found: [
    "The carrier drew no such manifest.",
    "Ein solches Manifest hat der Versender nicht gezeichnet.",
  ],
  collection_ended: ["The collection of {collection_day} has ended.", "Die Abholung vom {collection_day} ist beendet."],
  collection_empty: ["Nothing is in the collection.", "In der Abholung ist nichts."],
  nothing_by_this_code: [
    "No parcel and no shipment of this warehouse has this code.",
    "Kein Paket und keine Sendung dieses Lagers hat diesen Code.",
  ],
  ship_first: [
    "{so_number} is not shipped yet: ship it first.",
    "{so_number} ist noch nicht versandt: erst versenden.",
  ],
  other_carrier: [
    "{so_number} goes with {goes_with}, not with {carrier}.",
    "{so_number} geht mit {goes_with}, nicht mit {carrier}.",
  ],
  label_taken_back: [
    "The label of {so_number} was taken back: do not load it.",
    "Das Versandetikett von {so_number} wurde zurückgegeben: nicht verladen.",
  ],
  parcel_recalled: [
    "{so_number} has recalled units: do not load it.",
    "In {so_number} ist zurückgerufene Ware: nicht verladen.",
  ],
  already_collected: [
    "{so_number} went with the collection of {collection_day}.",
    "{so_number} ging mit der Abholung vom {collection_day}.",
  ],
  not_loaded: ["This is not loaded.", "Das ist nicht verladen."],
  label_ended: ["The label has come to its end.", "Das Versandetikett ist schon erledigt."],
  label_not_refused: [
    "Only a label that its carrier does not take back is written off.",
    "Nur ein Versandetikett, das der Versanddienst nicht zurücknimmt, wird abgeschrieben.",
  ],
  label_not_stored: ["There is no label yet.", "Das Versandetikett ist noch nicht da."],
  label_of_other_format: [
    "This is there in another format: {format}.",
    "Das gibt es nur in einem anderen Format: {format}.",
  ],
  labelled_parcel_shipped: [
    "The parcel is shipped: void its shipment first.",
    "Das Paket ist verschickt: bitte zuerst den Versand stornieren.",
  ],
  tracking_ended: ["The parcel is not under way any more.", "Das Paket ist nicht mehr unterwegs."],
  nothing_to_import: ["The file has no rows.", "Die Datei hat keine Zeilen."],
  nothing_to_print: ["There is nothing to print.", "Es gibt nichts zu drucken."],
  nothing_to_ship: ["Nothing was picked.", "Es wurde nichts gepickt."],
  one_record_only: ["This is printed one at a time.", "Das wird einzeln gedruckt."],
  order_being_picked: [
    "This order is being picked. Complete or cancel that wave first.",
    "Der Auftrag wird gerade gepickt. Beenden Sie zuerst die Pickwelle.",
  ],
  order_closed: ["This order is closed.", "Dieser Auftrag ist abgeschlossen."],
  order_elsewhere: ["The order is of another warehouse.", "Der Auftrag gehört zu einem anderen Lager."],
  order_has_recalled: [
    "The order has units that are on recall. Take them back first.",
    "Der Auftrag hat zurückgerufene Einheiten. Nehmen Sie sie erst zurück.",
  ],
  order_in_batch: ["The order is in a wave already.", "Der Auftrag ist schon in einer Welle."],
  order_held: ["This order is held. The desk decides.", "Dieser Auftrag ist angehalten. Das Büro entscheidet."],
  order_in_wave: ["Somebody picks one of these orders already.", "Einer dieser Aufträge wird schon gepickt."],
  order_not_on_recall: [
    "One of these orders has had no units of the recall.",
    "Einer dieser Aufträge hatte keine Einheiten des Rückrufs.",
  ],
  order_not_holdable: ["There is nothing left to hold.", "Hier gibt es nichts mehr anzuhalten."],
  order_not_held: ["Nothing holds this order any more.", "Diesen Auftrag hält nichts mehr an."],
  order_not_open: ["One of these orders is no longer open.", "Einer dieser Aufträge ist nicht mehr offen."],
  order_without_items: ["The order has nothing to pick.", "Auf dem Auftrag ist nichts zu picken."],
  orders_repeated: ["The same order is chosen twice.", "Derselbe Auftrag ist zweimal gewählt."],
  one_serial_one_unit: ["One unit a scan: it has a serial number.", "Ein Stück je Scan: Es hat eine Seriennummer."],
  over_pack: ["More than was picked.", "Mehr als gepickt."],
  over_pick: ["More than is left to pick.", "Mehr, als noch zu picken ist."],
  over_receipt: ["More than was ordered.", "Mehr als bestellt."],
  over_return: ["More than can come back.", "Mehr, als zurückkommen kann."],
  over_short: ["More than is left to pick.", "Mehr, als noch zu picken ist."],
  own_count: [
    "You counted this yourself. Somebody else has to approve it.",
    "Das haben Sie selbst gezählt. Jemand anders muss es freigeben.",
  ],
  packed_orders_exist: [
    "Some orders are packed. Ship them first.",
    "Es gibt gepackte Aufträge. Versenden Sie diese zuerst.",
  ],
  permission_denied: ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
  pick_task_wrong_state: ["This was not picked.", "Das wurde nicht gepickt."],
  picked_by_another: ["Somebody else is picking this order.", "Jemand anders pickt diesen Auftrag gerade."],
  picked_qty_remaining: ["Everything that was picked has to be put back.", "Alles Gepickte muss zurückgelegt werden."],
  picks_more_than_task: ["More than is to be picked.", "Mehr als zu picken ist."],
  po_already_closed: ["The purchase order is closed already.", "Die Bestellung ist schon abgeschlossen."],
  po_closed: ["The purchase order is closed.", "Die Bestellung ist abgeschlossen."],
  po_exists: ["There is a purchase order with this number.", "Eine Bestellung mit dieser Nummer gibt es schon."],
  po_line_received: ["Some of this line was received already.", "Von dieser Position ist schon etwas eingegangen."],
  po_locked: [
    "The purchase order is closed. Reopen it first.",
    "Die Bestellung ist abgeschlossen. Öffnen Sie sie zuerst wieder.",
  ],
  po_not_archivable: ["Close the purchase order first.", "Schließen Sie die Bestellung zuerst ab."],
  po_not_closed: ["The purchase order is not closed.", "Die Bestellung ist nicht abgeschlossen."],
  parcel_not_closed: ["The parcel is not closed.", "Das Paket ist nicht geschlossen."],
  parcel_not_weighed: ["The parcel has no weight.", "Das Paket hat kein Gewicht."],
  po_not_found: ["There is no such purchase order.", "Diese Bestellung gibt es nicht."],
  po_not_open: ["Nothing is received on it any more: {status}.", "Darauf geht nichts mehr ein: {status}."],
  po_status_follows_lines: ["The lines decide this status.", "Diesen Status bestimmen die Positionen."],
  print_job_ended: ["This print job has ended.", "Dieser Druckauftrag ist schon beendet."],
  print_job_not_ended: ["This print job has not ended yet.", "Dieser Druckauftrag läuft noch."],
  printer_address_refused: [
    "No printer may be there: SERVICE_PRINTER_NETWORKS names the networks that printers may be in.",
    "Dort darf kein Drucker sein: SERVICE_PRINTER_NETWORKS nennt die Netze, in denen Drucker sein dürfen.",
  ],
  printer_api_key: [
    "Printers of a service need its API key, with another address again; others have none.",
    "Drucker eines Dienstes brauchen dessen API-Schlüssel, mit anderer Adresse erneut; andere haben keinen.",
  ],
  printer_exists: ["The warehouse has a printer of this name.", "Das Lager hat schon einen Drucker mit diesem Namen."],
  printer_not_named: ["Choose a printer or a warehouse.", "Bitte einen Drucker oder ein Lager wählen."],
  printer_inactive: ["This printer is not in use.", "Dieser Drucker ist nicht in Betrieb."],
  service_not_available: ["The service does not take this parcel: {why}", "Dieser Dienst nimmt das Paket nicht: {why}"],
  tracking_number_given: ["The carrier gives the tracking number.", "Die Sendungsnummer vergibt der Versanddienst."],
  tracking_number_needed: ["Enter the tracking number.", "Bitte die Sendungsnummer eingeben."],
  unknown_carrier: ["There is no such carrier.", "Diesen Versanddienst gibt es nicht."],
  private_destination: [
    "The address is not on the public internet.",
    "Die Adresse liegt nicht im öffentlichen Internet.",
  ],
  produced_later: ["The day of production is still to come.", "Der Tag der Herstellung liegt in der Zukunft."],
  promised_to_picks: [
    "{promised} of it in {bin} {promised:is|are} promised to waves or transfers. Finish or cancel those first.",
    "Auf {bin} gehören {promised} davon zu Pickwellen oder Umlagerungen. Beenden Sie diese zuerst.",
  ],
  quantity_out_of_range: ["The quantity is too large.", "Die Menge ist zu groß."],
  range_too_large: ["These are too many days.", "Das sind zu viele Tage."],
  reassign_forbidden: ["You may not change the source system.", "Das Quellsystem dürfen Sie nicht ändern."],
  recall_closed: ["The recall is closed.", "Der Rückruf ist abgeschlossen."],
  recall_not_found: ["There is no such recall.", "Diesen Rückruf gibt es nicht."],
  recall_reason_missing: ["Say why it is closed by force.", "Sagen Sie, warum er trotzdem abgeschlossen wird."],
  recall_units_open: ["Not all units are accounted for.", "Es sind noch nicht alle Einheiten geklärt."],
  receipt_not_available: [
    "Its units are reserved or have left the warehouse.",
    "Die Ware ist reserviert oder nicht mehr im Lager.",
  ],
  receipt_stock_gone: ["Some of these units have left the warehouse.", "Ein Teil davon hat das Lager schon verlassen."],
  receipts_belong_to_other_po: [
    "These receipts are of another purchase order.",
    "Diese Wareneingänge gehören zu einer anderen Bestellung.",
  ],
  receipt_refunded: ["What came back was paid back already.", "Das Zurückgegebene ist schon erstattet."],
  record_linked: [
    "The record is linked to another id of this system already.",
    "Der Datensatz hat schon eine andere Kennung dieses Systems.",
  ],
  record_not_found: ["There is no such record.", "Diesen Datensatz gibt es nicht."],
  may_not_pick: ["This user may not pick in this warehouse.", "Diese Person darf in diesem Lager nicht picken."],
  release_warehouse_inactive: [
    "The warehouse is not active: no waves are released in it.",
    "Das Lager ist nicht aktiv: Dort werden keine Pickwellen freigegeben.",
  ],
  waiting_wave_released: [
    "These orders are being released: cancel their waves instead.",
    "Diese Aufträge werden gerade freigegeben: Brechen Sie stattdessen ihre Wellen ab.",
  ],
  return_lines_fixed: ["The lines of a return are fixed.", "Die Positionen einer Retoure stehen fest."],
  return_not_cancellable: ["A return is voided, not cancelled.", "Eine Retoure wird verworfen, nicht storniert."],
  return_not_fulfillable: ["A return is not shipped.", "Eine Retoure wird nicht versandt."],
  no_return_announced: [
    "Nothing of this order was announced to come back: the desk makes a return.",
    "Zu diesem Auftrag ist keine Retoure angemeldet: Die Leitstelle legt eine an.",
  ],
  return_not_found: [
    "No return, order or parcel has this code.",
    "Weder Retoure noch Auftrag oder Paket hat diesen Code.",
  ],
  return_not_open: ["Nothing more is received on this return.", "Auf diese Retoure geht nichts mehr ein."],
  return_not_partly_received: [
    "Of this return nothing has come, or all of it.",
    "Von dieser Retoure ist nichts eingegangen oder schon alles.",
  ],
  row_errors: [
    "Some rows of the file are wrong. Nothing was imported.",
    "Einige Zeilen der Datei sind falsch. Es wurde nichts importiert.",
  ],
  scan_disagrees: ["The label says something else.", "Auf dem Etikett steht etwas anderes."],
  scan_in_wave: ["Somebody picks this order already.", "Dieser Auftrag wird schon gepickt."],
  scan_not_open: ["This order is not open.", "Dieser Auftrag ist nicht offen."],
  scan_transfer_not_started: ["Nobody began to pick this transfer.", "Diese Umlagerung wurde noch nicht begonnen."],
  scan_transfer_of_another: ["Somebody else picks this transfer.", "Diese Umlagerung pickt jemand anderes."],
  scan_transfer_status: ["This transfer cannot be picked now.", "Diese Umlagerung ist jetzt nicht zu picken."],
  scan_unknown: ["There is no such order.", "Diesen Auftrag gibt es nicht."],
  scan_without_items: ["Nothing is on this order.", "Auf diesem Auftrag steht nichts."],
  scanned_other_item: ["The scanned code is of another item.", "Der gescannte Code gehört zu einem anderen Artikel."],
  self_approval_blocked: [
    "You submitted this yourself. Somebody else has to approve it.",
    "Das haben Sie selbst eingereicht. Jemand anders muss es freigeben.",
  ],
  serial_elsewhere: [
    "Serial {serial} is packed or shipped already.",
    "Seriennummer {serial} ist schon gepackt oder versandt.",
  ],
  serial_is_item_code: [
    "{serial} is a code of {sku}, not the serial number of a unit.",
    "{serial} ist ein Code von {sku}, nicht die Seriennummer eines Stücks.",
  ],
  serial_known: ["Serial {serial} is known already.", "Seriennummer {serial} ist schon bekannt."],
  serial_named_twice: ["A serial number is named twice.", "Eine Seriennummer ist zweimal genannt."],
  serial_not_found: ["There is no such serial number.", "Diese Seriennummer gibt es nicht."],
  serial_not_in_stock: [
    "Serial {serial} is not in stock any more.",
    "Seriennummer {serial} ist nicht mehr im Bestand.",
  ],
  serial_not_of_order: [
    "Serial {serial} was not shipped with this order.",
    "Seriennummer {serial} ging nicht mit diesem Auftrag hinaus.",
  ],
  serial_not_on_recall: [
    "Serial {serial} is not on this recall.",
    "Seriennummer {serial} gehört nicht zu diesem Rückruf.",
  ],
  serial_recalled: ["Serial {serial} is called back.", "Seriennummer {serial} ist zurückgerufen."],
  serial_required: ["Scan the serial number of {sku}.", "Scannen Sie die Seriennummer von {sku}."],
  serial_unknown: ["Serial {serial} was never received.", "Seriennummer {serial} ist nie eingegangen."],
  serials_missing: [
    "Serial numbers are missing: pack {skus} by serial number.",
    "Seriennummern fehlen: Packen Sie {skus} nach Seriennummer.",
  ],
  serials_not_kept: [
    "No serial numbers are kept of this item at receipt.",
    "Von diesem Artikel werden beim Eingang keine Seriennummern geführt.",
  ],
  serials_required: [
    "{sku} needs a serial number for each unit: {given} of {quantity}.",
    "{sku} braucht eine Seriennummer für jedes Stück: {given} von {quantity}.",
  ],
  silent_shortfall: ["Something is missing that nobody reported.", "Es fehlt etwas, das niemand gemeldet hat."],
  size_not_on_roll: ["A label printer has no such paper.", "So ein Papier hat ein Etikettendrucker nicht."],
  sku_exists: ["There is an item with this SKU.", "Einen Artikel mit dieser SKU gibt es schon."],
  shipped_without_picks: [
    "It left without picks. Refund or return it instead.",
    "Er ging ohne Picks hinaus. Erstatten Sie ihn, oder nehmen Sie ihn zurück.",
  ],
  snooze_out_of_range: [
    "It is put off until a time from now on, 30 days at most.",
    "Zurückgestellt wird bis zu einem Zeitpunkt ab jetzt, höchstens 30 Tage.",
  ],
  so_exists: ["There is an order with this number already.", "Einen Auftrag mit dieser Nummer gibt es schon."],
  so_line_not_found: ["There is no such line any more.", "Diese Position gibt es nicht mehr."],
  so_not_found: ["There is no such order.", "Diesen Auftrag gibt es nicht."],
  so_not_open: ["Only an open order is picked.", "Nur ein offener Auftrag wird gepickt."],
  so_not_packed: ["This order is not packed yet.", "Dieser Auftrag ist noch nicht gepackt."],
  so_not_picked: ["This order is not to be packed: {status}.", "Dieser Auftrag ist nicht zu packen: {status}."],
  so_not_shippable: ["This order is not to be shipped: {status}.", "Dieser Auftrag ist nicht zu versenden: {status}."],
  source_and_destination_must_differ: [
    "Source and destination are the same warehouse.",
    "Ursprung und Ziel sind dasselbe Lager.",
  ],
  stock_not_on_recall: ["No units of the recall lie there.", "Dort liegen keine Einheiten des Rückrufs."],
  status_not_editable: [
    "The order cannot be shipped in this status.",
    "In diesem Status ist der Auftrag nicht versandfertig.",
  ],
  stock_row_not_found: ["There is no such stock.", "Diesen Bestand gibt es nicht."],
  task_not_pending: [
    "This task is over ({status}). What is shown now is to be done.",
    "Diese Aufgabe ist vorbei ({status}). Zu tun ist, was jetzt gezeigt wird.",
  ],
  tasks_pending: ["Something is still to be picked.", "Es ist noch etwas zu picken."],
  to_already_partially_approved: [
    "A part has arrived already. Close the lines short instead.",
    "Ein Teil ist schon angekommen. Beenden Sie stattdessen die Positionen mit Fehlmenge.",
  ],
  to_not_deletable: ["It was picked or submitted already.", "Er wurde schon gepickt oder eingereicht."],
  too_few_days_left: [
    "Only {days} {days:day is|days are} left; at least {least} are asked for.",
    "Es {days:bleibt|bleiben} nur {days} {days:Tag|Tage}; mindestens {least} sind verlangt.",
  ],
  too_many_labels: ["Too many labels at once.", "Zu viele Etiketten auf einmal."],
  too_many_records: ["The file has too many rows.", "Die Datei hat zu viele Zeilen."],
  too_many_requests: ["Too many requests. Wait a moment.", "Zu viele Anfragen. Warten Sie einen Moment."],
  tracking_required: ["A tracking number is missing.", "Die Sendungsnummer fehlt."],
  transfer_batch: ["This is a transfer: the office cancels it.", "Das ist eine Umlagerung: Das Büro storniert sie."],
  transfer_order_not_found: ["There is no such transfer order.", "Diesen Umlagerungsauftrag gibt es nicht."],
  transfer_over_pick: ["More than is to be picked.", "Mehr als zu picken ist."],
  under_inspection: ["The units are being inspected: decide there.", "Die Einheiten werden geprüft: dort entscheiden."],
  units_past_sale: [
    "The last day of these units has passed: take the next task.",
    "Der letzte Tag dieser Einheiten ist vorbei: Nehmen Sie den nächsten Auftrag.",
  ],
  units_held: ["Some of the units are on hold.", "Ein Teil der Einheiten ist gesperrt."],
  unsupported_entity_type: ["Such records cannot be imported.", "Solche Daten können nicht importiert werden."],
  unsupported_media_type: ["This kind of file cannot be read.", "Diese Art von Datei kann nicht gelesen werden."],
  upc_exists: ["There is an item with this barcode.", "Einen Artikel mit diesem Barcode gibt es schon."],
  vendor_named: ["Purchase orders name this vendor.", "Dieser Lieferant steht auf Bestellungen."],
  warehouse_denied: ["You may not use this warehouse.", "Dieses Lager ist Ihnen nicht erlaubt."],
  unknown_time_zone: ["This is not a time zone that is known here.", "Diese Zeitzone ist hier nicht bekannt."],
  warehouse_exists: ["There is a warehouse with this code.", "Ein Lager mit diesem Kürzel gibt es schon."],
  warehouse_has_bins: ["The warehouse has bins.", "Das Lager hat noch Plätze."],
  warehouse_has_stock: ["There is stock in the warehouse.", "Im Lager ist noch Bestand."],
  warehouse_has_zones: ["The warehouse has zones.", "Das Lager hat noch Zonen."],
  warehouse_mismatch: ["These are of several warehouses.", "Das gehört zu mehreren Lagern."],
  warehouse_named: [
    "Orders name this warehouse. Take it out of use instead.",
    "Das Lager steht auf Aufträgen. Nehmen Sie es stattdessen außer Betrieb.",
  ],
  workflow_engine_unavailable: [
    "Temporal does not answer. Try again.",
    "Temporal antwortet nicht. Versuchen Sie es noch einmal.",
  ],
  warehouse_inactive: ["The warehouse is not active.", "Das Lager ist nicht aktiv."],
  demo_in_use: [
    "Something else depends on the demo: records of another warehouse, a token, a channel or a connector.",
    "Etwas anderes hängt von der Demo ab: Daten eines anderen Lagers, ein Token, ein Kanal oder ein Konnektor.",
  ],
  demo_there: ["There is a demo already.", "Es gibt schon eine Demo."],
  weak_pin: ["The PIN is too easy to guess.", "Die PIN ist zu leicht zu erraten."],
  wrong_current_password: ["The current password is wrong.", "Das bisherige Passwort ist falsch."],
  wrong_bin: ["This is another bin.", "Das ist ein anderer Platz."],
  wrong_item: ["This is the wrong item.", "Das ist der falsche Artikel."],
  wrong_lot: [
    "This is lot {scanned}. Take lot {expected}.",
    "Das ist Charge {scanned}. Bitte Charge {expected} nehmen.",
  ],
  wrong_status: ["The order has come too far for that.", "Dafür ist der Auftrag schon zu weit."],
  zone_exists: [
    "There is a zone with this code in the warehouse.",
    "Eine Zone mit diesem Kürzel gibt es in diesem Lager schon.",
  ],
  zone_has_bins: ["There are bins in the zone.", "In der Zone sind noch Plätze."],
} as const satisfies Texts;

const all: Texts = { ...problems, ...ofParcels, ...ofPartners, ...missing, ...mayNot };
const unreachable: Text = ["The service does not answer.", "Der Dienst antwortet nicht."];

/** An error in the words of the reader. */
export function errorText(error: unknown): string {
  const index = language() === "de" ? 1 : 0;
  if (error instanceof Unreachable) return unreachable[index];
  if (error instanceof Refusal) {
    const text = all[error.code]?.[index] ?? wrongFields(error)?.[index];
    const { status, why } = error.body;
    const values: Record<string, unknown> = {
      ...error.body,
      ...(typeof status === "string" && { status: statusText(status) }),
      ...(typeof why === "string" && { why: saidText(why) }),
      ...(error.code === "address_incomplete" && {
        faults: addressFaults(error.body.faults as Parameters<typeof addressFaults>[0]),
      }),
      ...(error.code === "customs_incomplete" && {
        items: customsGaps(error.body.items as Parameters<typeof customsGaps>[0]),
      }),
      message: error.code === "file_unreadable" ? rowFaultText(error.message) : error.message,
    };
    return text ? filled(text, values) : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Of input that does not fit: which fields, since what is wrong with them is said in English alone. */
function wrongFields({ body, message }: Refusal): Text | undefined {
  if (!Array.isArray(body.details)) return undefined;
  const details = body.details as { type?: string; loc?: unknown[] }[];
  // A list without entries, such as a return of no units.
  if (details.some(({ type }) => type === "too_short")) return ["Nothing was chosen.", "Es wurde nichts gewählt."];
  const places = details.map(({ loc = [] }) => loc.findLast((part) => Number.isNaN(Number(part))));
  const names = [...new Set(places)].filter((name) => typeof name === "string").map(fieldText);
  return names.length > 0 ? [message, `Bitte prüfen: ${names.join(", ")}`] : undefined;
}
