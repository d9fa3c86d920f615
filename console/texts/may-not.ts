import type { Texts } from "./catalogue.js";

/** What refusals mean, by their code, where it is about who asks, how often, or whether the service can answer. */
export const mayNot = {
  agent_approval_decided: [
    "Somebody has decided about it, or its time is over.",
    "Darüber ist entschieden, oder die Zeit ist um.",
  ],
  account_gone: ["This account was closed.", "Dieses Konto wurde geschlossen."],
  badge_not_enough: [
    "A badge does not open a role that needs a second factor. Sign in with the password.",
    "Ein Ausweis öffnet keine Rolle, die einen zweiten Faktor braucht. Melden Sie sich mit dem Passwort an.",
  ],
  badge_sign_in_off: ["Signing in with badges is switched off.", "Das Anmelden mit Ausweis ist ausgeschaltet."],
  break_glass_unfit: [
    "Only an active ADMIN with a password who is not linked to the provider can be kept for emergencies.",
    "Für Notfälle taugt nur ein aktiver ADMIN mit Passwort, der nicht mit dem Anbieter verbunden ist.",
  ],
  last_break_glass: [
    "One ADMIN for emergencies must remain while all others sign in at the provider.",
    "Ein ADMIN für Notfälle muss bleiben, solange sich alle anderen beim Anbieter anmelden.",
  ],
  password_of_provider: [
    "The user signs in at the provider and has no password here.",
    "Der Benutzer meldet sich beim Anbieter an und hat hier kein Passwort.",
  ],
  sso_not_ready: ["Not yet possible: {message}", "Noch nicht möglich: {message}"],
  sso_off: ["No identity provider is set up.", "Es ist kein Anmeldedienst eingerichtet."],
  sso_required: [
    "Sign in with the company's provider, not with a password or a badge.",
    "Bitte beim Anbieter der Firma anmelden, nicht mit Passwort oder Ausweis.",
  ],
  body_too_large: ["That is too much at once.", "Das ist zu viel auf einmal."],
  cannot_deactivate_self: ["You cannot close your own account.", "Das eigene Konto kann man nicht schließen."],
  cannot_delete_self: ["You cannot delete yourself.", "Sich selbst kann man nicht löschen."],
  cannot_demote_self: ["You cannot take the role ADMIN from yourself.", "Die Rolle ADMIN kann man sich nicht nehmen."],
  challenge_expired: [
    "That took too long. Begin the sign-in anew.",
    "Das hat zu lange gedauert. Beginnen Sie die Anmeldung von vorn.",
  ],
  count_programme_exists: ["The warehouse has a count programme already.", "Das Lager hat schon ein Zählprogramm."],
  csrf_invalid: ["This page is out of date. Load it again.", "Diese Seite ist veraltet. Laden Sie sie neu."],
  database_busy: ["The service is busy. Try again.", "Der Dienst ist ausgelastet. Versuchen Sie es noch einmal."],
  database_unavailable: [
    "The service cannot reach its data. Try again.",
    "Der Dienst erreicht seine Daten nicht. Versuchen Sie es noch einmal.",
  ],
  function_not_allowed: ["You were not granted this function.", "Diese Funktion ist Ihnen nicht erlaubt."],
  grants_too_much: [
    "Nobody grants or changes more than they have.",
    "Niemand kann mehr vergeben oder ändern, als er selbst hat.",
  ],
  invalid_badge: ["Badge or PIN is wrong.", "Ausweis oder PIN ist falsch."],
  invalid_credentials: ["Username or password is wrong.", "Benutzername oder Passwort ist falsch."],
  invalid_passkey: ["This passkey is not for this site.", "Dieser Passkey gilt hier nicht."],
  invalid_second_factor: ["The code is wrong, or was used already.", "Der Code ist falsch oder wurde schon benutzt."],
  not_in_partner_link: ["Your link does not reach so far.", "So weit reicht dieser Link nicht."],
  partner_link_lasts_too_long: ["A link does not last so long.", "So lange gilt kein Link."],
  invalid_token: [
    "The link does not open anything any more: ask the warehouse for a new one.",
    "Der Link öffnet nichts mehr: bitte das Lager um einen neuen.",
  ],
  key_lasts_too_long: ["A key does not last so long.", "So lange gilt kein Schlüssel."],
  key_reads_only: ["This key only reads.", "Dieser Schlüssel liest nur."],
  keys_off: ["API keys are switched off.", "API-Schlüssel sind ausgeschaltet."],
  last_admin: ["One active ADMIN must remain.", "Ein aktiver ADMIN muss bleiben."],
  may_not_approve: [
    "Only who may call {operation} for this request approves it.",
    "Nur wer {operation} für diese Anfrage aufrufen darf, gibt es frei.",
  ],
  own_agent_approval: [
    "What your own agent asks for is approved by somebody else.",
    "Was der eigene Agent wünscht, gibt jemand anderes frei.",
  ],
  login_locked: [
    "Too many failed attempts. Try again in some minutes.",
    "Zu viele Fehlversuche. Versuchen Sie es in einigen Minuten wieder.",
  ],
  login_locked_now: [
    "Too many failed attempts. Locked for 15 minutes.",
    "Zu viele Fehlversuche. Für 15 Minuten gesperrt.",
  ],
  not_with_a_key: ["A person does this, and no key.", "Das tut ein Mensch, und kein Schlüssel."],
  not_ready: ["The service is starting. Try again.", "Der Dienst startet gerade. Versuchen Sie es noch einmal."],
  own_factors: ["Nobody resets their own second factors.", "Den eigenen zweiten Faktor setzt niemand zurück."],
  own_rights: ["Nobody changes their own rights.", "Die eigenen Rechte kann niemand ändern."],
  passkey_taken: ["This passkey is in use already.", "Dieser Passkey ist schon in Gebrauch."],
  password_change_required: ["Choose a new password first.", "Wählen Sie zuerst ein neues Passwort."],
  rate_limited: ["Too many requests. Wait a moment.", "Zu viele Anfragen. Warten Sie einen Moment."],
  scope_violation: ["This is outside what you may see.", "Das liegt außerhalb dessen, was Sie sehen dürfen."],
  second_factor_enrolment_required: ["Set up a second factor first.", "Richten Sie zuerst einen zweiten Faktor ein."],
  second_factor_missing: [
    "Your role needs a second factor. Sign in again.",
    "Ihre Rolle braucht einen zweiten Faktor. Melden Sie sich wieder an.",
  ],
  second_factor_required: ["Show your second factor.", "Zeigen Sie Ihren zweiten Faktor."],
  session_ended: ["You are signed out. Sign in again.", "Sie sind abgemeldet. Melden Sie sich wieder an."],
  step_up_required: [
    "This is done only once you have proved again that it is you.",
    "Das geht erst, wenn Sie sich noch einmal ausgewiesen haben.",
  ],
  token_exceeds_issuer: [
    "A token can do no more than who issues it.",
    "Ein Token kann nicht mehr, als wer es ausgibt.",
  ],
  token_expired: ["You are signed out. Sign in again.", "Sie sind abgemeldet. Melden Sie sich wieder an."],
  token_invalidated: [
    "The password was changed. Sign in again.",
    "Das Passwort wurde geändert. Melden Sie sich wieder an.",
  ],
  totp_exists: [
    "There is an authenticator app already. Remove it first.",
    "Es gibt schon eine Authenticator-App. Entfernen Sie sie zuerst.",
  ],
  only_for_agents: ["This token is for /mcp alone.", "Dieses Token ist nur für /mcp."],
  too_many_keys: ["There are too many keys. Revoke one.", "Es sind zu viele Schlüssel. Widerrufen Sie einen."],
  too_many_streams: ["Too many open pages. Close some.", "Zu viele offene Seiten. Schließen Sie einige."],
  wrong_code: [
    "The code is not right. Is the clock of the phone?",
    "Der Code stimmt nicht. Geht die Uhr des Telefons richtig?",
  ],
  unauthorized: ["You are signed out. Sign in again.", "Sie sind abgemeldet. Melden Sie sich wieder an."],
  replenishment_ended: ["The task has ended already.", "Die Aufgabe ist schon beendet."],
  replenishment_not_taken: ["Take the task first.", "Übernehmen Sie die Aufgabe zuerst."],
  replenishment_taken: ["Somebody else has this task.", "Diese Aufgabe hat jemand anderes."],
  saved_view_name_taken: [
    "You have a view of this list with this name already.",
    "Eine Ansicht dieser Liste mit diesem Namen haben Sie schon.",
  ],
  saved_view_not_yours: [
    "Only whoever made a view, or an administrator, deletes it.",
    "Eine Ansicht löscht nur, wer sie angelegt hat, oder ein Administrator.",
  ],
  template_name_taken: [
    "The warehouse has a template with this name already.",
    "Eine Vorlage mit diesem Namen hat das Lager schon.",
  ],
  username_taken: ["There is a user with this name.", "Einen Benutzer mit diesem Namen gibt es schon."],
  weak_password: [
    "A password has at least 8 characters, a letter and a digit.",
    "Ein Passwort hat mindestens 8 Zeichen, einen Buchstaben und eine Ziffer.",
  ],
} as const satisfies Texts;
