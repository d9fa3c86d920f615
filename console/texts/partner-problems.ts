import type { Texts } from "./catalogue.js";

/** What refusals mean, by their code, that are about other systems: tokens, webhooks, channels, connectors. */
export const ofPartners = {
  batch_size_above_hard_cap: [
    "These are more deliveries than are allowed at once. Narrow them down, or confirm that many.",
    "Das sind mehr Zustellungen als auf einmal erlaubt. Grenzen Sie sie ein oder bestätigen Sie die Menge.",
  ],
  blocked_destination: [
    "The address is not on the public internet.",
    "Die Adresse liegt nicht im öffentlichen Internet.",
  ],
  cannot_modify_revoked_channel: ["This channel was revoked.", "Dieser Kanal wurde widerrufen."],
  cannot_modify_revoked_subscription: ["This webhook was revoked.", "Dieser Webhook wurde widerrufen."],
  cannot_replay_to_revoked_subscription: ["This webhook was revoked.", "Dieser Webhook wurde widerrufen."],
  cannot_rotate_revoked_channel: ["This channel was revoked.", "Dieser Kanal wurde widerrufen."],
  cannot_rotate_revoked_subscription: ["This webhook was revoked.", "Dieser Webhook wurde widerrufen."],
  cannot_test_revoked_subscription: ["This webhook was revoked.", "Dieser Webhook wurde widerrufen."],
  channel_id_taken: ["There is a channel with this id already.", "Es gibt schon einen Kanal mit dieser Kennung."],
  delivery_not_waiting: ["This delivery waits for no attempt.", "Diese Zustellung wartet auf keinen Versuch."],
  sandbox_ended: ["The sandbox has ended.", "Der Sandkasten ist beendet."],
  sandbox_full: [
    "The sandbox has had all orders that one may have. End it and begin another one.",
    "Der Sandkasten hat alle Aufträge gehabt, die einer haben darf. Beenden Sie ihn und beginnen Sie einen anderen.",
  ],
  sandbox_there: ["{connector_id} has a sandbox already.", "{connector_id} hat schon einen Sandkasten."],
  too_many_sandboxes: [
    "There are {most} sandboxes: end one first.",
    "Es gibt {most} Sandkästen: Beenden Sie zuerst einen.",
  ],
  conflicting_choices: [
    "Batches go with the order of all events one after the other, and with no CloudEvents in the headers.",
    "Mehrere Ereignisse je Anfrage gehen nur alle nacheinander und nicht mit CloudEvents in den Kopfzeilen.",
  ],
  connector_in_use: ["This program still owns something.", "Diesem Programm gehört noch etwas."],
  connector_not_configured: [
    "The configuration is not whole: {message}",
    "Die Einstellungen sind nicht vollständig: {message}",
  ],
  connector_not_found: ["There is no such partner program.", "Dieses Partnerprogramm gibt es nicht."],
  cursor_beyond_horizon: ["There is no such event yet.", "Dieses Ereignis gibt es noch nicht."],
  delivery_subscription_mismatch: ["This is of another webhook.", "Das gehört zu einem anderen Webhook."],
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
  contact_not_found: [
    "There is no such notification destination any more, or it is of another warehouse.",
    "Dieses Ziel für Benachrichtigungen gibt es nicht mehr, oder es gehört zu einem anderen Lager.",
  ],
  empty_filter_array: [
    "Choose at least one, or leave the filter out.",
    "Wählen Sie mindestens eines oder keinen Filter.",
  ],
  invalid_client_tls: [
    "Needed are a certificate with its private key (PEM, without a passphrase), an authority, or both.",
    "Nötig ist ein Zertifikat mit seinem Schlüssel (PEM, ohne Passwort), eine Zertifizierungsstelle oder beides.",
  ],
  incomplete_inbound_scope: [
    "The source system and its records go together.",
    "Quellsystem und Daten gehören zusammen.",
  ],
  invalid_cursor: ["This place in the list is not known.", "Diese Stelle der Liste ist nicht bekannt."],
  invalid_pagination: ["There is no such page.", "Diese Seite gibt es nicht."],
  invalid_window: ["Choose another period.", "Wählen Sie einen anderen Zeitraum."],
  mapping_document_invalid: ["The mapping document has faults.", "Das Mapping-Dokument hat Fehler."],
  mapping_document_missing: [
    "There is no mapping document for this system.",
    "Für dieses System gibt es kein Mapping-Dokument.",
  ],
  mapping_overrides_warehouse_outside_token: [
    "The token may not use this warehouse.",
    "Dieses Lager ist dem Token nicht erlaubt.",
  ],
  pending_ceiling_above_hard_cap: [
    "The limit of waiting deliveries is too high.",
    "Die Grenze für wartende Zustellungen ist zu hoch.",
  ],
  push_not_failed: ["It has not failed.", "Sie ist nicht gescheitert."],
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
  replay_would_skip_history: ["This would leave events out.", "Dabei würden Ereignisse ausgelassen."],
  secrets_needed: [
    "The address leads to another server: enter the secret fields again as well.",
    "Die Adresse führt zu einem anderen Server: Geben Sie auch die geheimen Felder neu ein.",
  ],
  shipment_voided: ["The shipment was taken back.", "Die Sendung wurde zurückgenommen."],
  shop_changed: [
    "Records came from another address. Say below whether this is the same shop.",
    "Es kamen schon Daten von einer anderen Adresse. Sagen Sie unten, ob das derselbe Shop ist.",
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
  stream_not_accepted: ["This can only be read as a stream.", "Das kann nur als Strom gelesen werden."],
  subscription_invalid: ["The webhook's filter cannot be read.", "Der Filter des Webhooks ist nicht lesbar."],
  sync_already_running: ["This sync is running already.", "Dieser Abgleich läuft schon."],
  sync_not_supported: ["The connector does not fetch these records.", "Diese Daten holt der Konnektor nicht."],
  sync_running: ["This sync is running already.", "Dieser Abgleich läuft schon."],
  token_reaches_nothing: ["Choose what the token is for.", "Wählen Sie, wofür das Token ist."],
  token_revoked: ["The token was revoked.", "Das Token wurde widerrufen."],
  unsupported_scheme: ["The address begins with https://.", "Die Adresse beginnt mit https://."],
  url_reuse_tombstone: [
    "A deleted webhook sent to this URL. Confirm that this is known.",
    "An diese URL sendete ein gelöschter Webhook. Bestätigen Sie, dass das bekannt ist.",
  ],
  webhook_not_active: ["This webhook is not active.", "Dieser Webhook ist nicht aktiv."],
  webhook_test_throttled: [
    "It was tested a moment ago. Wait some seconds.",
    "Er wurde gerade erst getestet. Warten Sie einige Sekunden.",
  ],
} as const satisfies Texts;
