import { language } from "../shared/language.js";
import { nameIn, type Texts } from "./catalogue.js";

/** What the service says of a request that failed, and how it is said in German. */
const inGerman: [RegExp, string][] = [
  [/^It was asked for(?=$|;)/, "So gewünscht"],
  [/^The cheapest, as no rule has one(?=$|;)/, "Der günstigste, da keine Regel einen hat"],
  [/^Rule (.+): the cheapest(.*) within 1 day$/, "Regel $1: der günstigste$2, der einen Tag braucht"],
  [/^Rule (.+): the cheapest(.*) within (\d+) days$/, "Regel $1: der günstigste$2, der höchstens $3 Tage braucht"],
  [/; without ([^:;]+): /g, "; ohne $1: "],
  [/No answer within (\d+) seconds/g, "Keine Antwort in $1 Sekunden"],
  [/^Rule (.+): the cheapest/, "Regel $1: der günstigste"],
  [/^No service takes this parcel/, "Kein Dienst nimmt dieses Paket"],
  [/^(.+) does not take this parcel/, "$1 nimmt dieses Paket nicht"],
  [/^The carrier does not know the address$/, "Der Versanddienst kennt die Anschrift nicht"],
  [/^The parcel is gone$/, "Das Paket gibt es nicht mehr"],
  [/^(.+) sells no labels$/, "$1 verkauft keine Etiketten"],
  [/^(.+) takes no labels back$/, "$1 nimmt keine Etiketten zurück"],
  [/^(\w+) does not take it back/, "$1 nimmt es nicht zurück"],
  [/^(\w+) answered with HTTP status (\d+)/, "$1 antwortete mit HTTP-Status $2"],
  [/^(.+) has not sent (\w+) (.+) yet$/, "$1 hat $2 $3 noch nicht geschickt"],
  [
    /^(.+) failed (\d+) times in a row, and is not asked again before (\S+)$/,
    "$1 antwortete $2-mal nacheinander nicht und wird vor $3 nicht wieder gefragt",
  ],
  [/The source answered with HTTP status (\d+)/, "Die Quelle antwortete mit HTTP-Status $1"],
  [/HTTP status (\d+)/, "HTTP-Status $1"],
  [/No connection in time/, "Keine Verbindung in der Zeit"],
  [/No connection/, "Keine Verbindung"],
  [/TLS failed/, "TLS misslang"],
  [/The host name was not resolved/, "Der Hostname wurde nicht aufgelöst"],
  [/The connection broke off/, "Die Verbindung brach ab"],
  [/The answer is not HTTP that we understand/, "Die Antwort ist kein verständliches HTTP"],
  [/The answer announces (\d+) bytes/, "Die Antwort kündigt $1 Bytes an"],
  [/No answer in time/, "Keine Antwort in der Zeit"],
  [/Destination refused/, "Ziel abgelehnt"],
  [/Redirected/, "Umgeleitet"],
  [/Refused by the destination/, "Vom Ziel abgewiesen"],
  [/Error at the destination/, "Fehler am Ziel"],
  [/Failed for another reason/, "Aus anderem Grund misslungen"],
  [/The attempt failed/, "Der Versuch misslang"],
  [/The sender was stopped/, "Der Sender wurde angehalten"],
  [/Not done within (\d+) ms/, "Nach $1 ms nicht fertig"],
  [/(\w+:) is not allowed/, "$1 ist nicht erlaubt"],
  [
    /(\w+) was raised, but the subscription is still paused by it; .*/,
    "$1 ist höher, aber der Webhook hält noch deswegen an: Setzen Sie ihn fort",
  ],
];

/** Why a request to another system failed; what has no text in a language is shown as the service says it. */
export const faultText = (fault: string | null | undefined): string | null | undefined =>
  language() === "de" ? inGerman.reduce((text, [said, german]) => text?.replace(said, german), fault) : fault;

/** Words of somebody else, which stay as they are. */
export const quoted = (words: string): string => (language() === "de" ? `„${words}“` : `“${words}”`);

/** As `faultText`, where it may be what a carrier or a printer said by itself: that is a quotation with its name. */
export function saidText(said: string): string {
  const text = faultText(said) ?? "";
  const [, who, words] = /^([^:]+): (.+)$/s.exec(text) ?? [];
  return who && words && text === said ? `${who}: ${quoted(words)}` : text;
}

const errorKinds: Texts = {
  timeout: ["Not answered in time", "Nicht rechtzeitig beantwortet"],
  connection: ["No connection", "Keine Verbindung"],
  tls: ["TLS failed", "TLS misslang"],
  ssrf_rejected: ["Address not allowed", "Adresse nicht erlaubt"],
  redirected: ["Redirected", "Umgeleitet"],
  "4xx": ["Refused (4xx)", "Abgewiesen (4xx)"],
  "5xx": ["Error at the destination (5xx)", "Fehler am Ziel (5xx)"],
  unknown: ["Something else", "Etwas anderes"],
};

/** A kind of failure in words. */
export const errorKindText = (kind: string | null): string | null => kind && (nameIn(errorKinds, kind) ?? kind);

/** What a kind of failure means and what to do about it. */
interface Advice {
  description: string;
  triage_hint: string;
}

const adviceInGerman: Record<string, Advice> = {
  timeout: {
    description: "Das Ziel nahm die Verbindung nicht an oder antwortete nicht rechtzeitig zu Ende.",
    triage_hint:
      "Mit 2xx antworten, sobald das Ereignis gespeichert ist, und es danach bearbeiten; Last des Ziels ansehen.",
  },
  connection: {
    description: "Der Hostname ließ sich nicht auflösen, oder die Verbindung wurde abgelehnt oder brach ab.",
    triage_hint: "Prüfen, ob der Hostname stimmt, das Ziel läuft und seine Firewall diesen Dienst einlässt.",
  },
  tls: {
    description: "Das Zertifikat des Ziels ließ sich nicht prüfen, oder es gab keine gemeinsame TLS-Version.",
    triage_hint: "Prüfen, ob das Zertifikat gültig ist, den Host der URL nennt und mit seiner ganzen Kette kommt.",
  },
  ssrf_rejected: {
    description: "Der Hostname führt zu keiner Adresse im öffentlichen Internet; es wurde nichts gesendet.",
    triage_hint: "Vom Partner eine öffentliche Adresse geben lassen, oder den DNS-Eintrag berichtigen.",
  },
  redirected: {
    description: "Das Ziel antwortete mit einer Weiterleitung (3xx); solchen wird nicht gefolgt.",
    triage_hint: "Als Ziel-URL die endgültige Adresse eintragen.",
  },
  "4xx": {
    description: "Das Ziel antwortete mit einem Status von 400 bis 499.",
    triage_hint:
      "401 und 403: Prüfung der Signatur oder altes Geheimnis. 404: Pfad der URL. 429: rate_limit_per_second senken.",
  },
  "5xx": {
    description: "Das Ziel antwortete mit einem Status ab 500 oder kündigte eine zu große Antwort an.",
    triage_hint: "Den Partner um das Protokoll dieses Augenblicks bitten.",
  },
  unknown: {
    description: "Das Ereignis ist weg, der Webhook wurde widerrufen, oder es geschah etwas ohne eigene Fehlerart.",
    triage_hint: "Die Beschreibung lesen, dann das Protokoll des Workers.",
  },
};

/** What the service says of a kind of failure, in the words of the reader. */
export const adviceOf = ({ error_kind, ...said }: Advice & { error_kind: string | null }): Advice =>
  (language() === "de" && adviceInGerman[error_kind ?? "unknown"]) || said;
