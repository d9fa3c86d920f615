import { language } from "../shared/language.js";

/** What the service says of a file or a row of it, and how it is said in German. Names of columns stay as they are. */
const inGerman: [RegExp, string][] = [
  [/^the file is empty$/, "die Datei ist leer"],
  [/^this is a workbook, .*$/, "das ist eine Arbeitsmappe und keine CSV-Datei: das Blatt als CSV speichern"],
  [/^row (\d+): /, "Zeile $1: "],
  [/unknown columns (.+); the columns are /, "unbekannte Spalten $1; es gibt die Spalten "],
  [/^unknown column\(s\): /, "unbekannte Spalten: "],
  [/(?<=") is there twice$/, " kommt zweimal vor"],
  [/(?<=") is missing$/, " fehlt"],
  [/a quote is opened and never closed/, "ein Anführungszeichen wird geöffnet und nie geschlossen"],
  [
    /a value with a quote in it has to stand in quotes, and the quote to be doubled/,
    "ein Wert mit einem Anführungszeichen muss in Anführungszeichen stehen, und das Zeichen darin doppelt",
  ],
  [/it is longer than (\d+) bytes; is a quote not closed\?/, "länger als $1 Bytes; fehlt ein Anführungszeichen?"],
  [/it has (\d+) values, and the header has (\d+) columns/, "$1 Werte, aber $2 Spalten in der Kopfzeile"],
  [/it is not UTF-8, or has characters that were lost/, "kein UTF-8, oder es gingen Zeichen verloren"],
  // Of a cell.
  [/: required(?=;|$)/g, ": fehlt"],
  [/must not contain NUL/g, "darf kein NUL-Zeichen enthalten"],
  [/must be Unicode text/g, "muss Unicode-Text sein"],
  [/must not be a formula: .+? behind a separator/g, "darf keine Formel sein (nicht mit = + - @ beginnen)"],
  [/must be true or false/g, "muss true oder false sein"],
  [/must be 6, 8 or 10 digits of the customs tariff/g, "muss 6, 8 oder 10 Ziffern des Zolltarifs haben"],
  [/must be a country by its two capitals/g, "muss ein Land mit zwei Großbuchstaben sein"],
  [/must be a currency by its three capitals/g, "muss eine Währung mit drei Großbuchstaben sein"],
  [/not a date as YYYY-MM-DD/g, "kein Tag in der Form JJJJ-MM-TT"],
  [/("[^"]*") has to be digits alone, such as 1000/g, "$1 darf nur Ziffern haben, wie 1000"],
  [/("[^"]*") may mean two numbers: write it with a point/g, "$1 ist nicht eindeutig: mit Punkt schreiben"],
  [
    /(\S+) is a number that a spreadsheet shortened: make it text and enter it again/g,
    "$1 hat die Tabelle gekürzt: die Zelle als Text formatieren und neu eingeben",
  ],
  [/the check digit of (\S+) is wrong/g, "die Prüfziffer von $1 stimmt nicht"],
  [/(\S+) has (\d+) digits: were zeros lost from (\S+)\?/g, "$1 hat $2 Ziffern: fehlen Nullen von $3?"],
  [/(\S+) has (\d+) digits, and not 8, 12, 13 or 14/g, "$1 hat $2 Ziffern statt 8, 12, 13 oder 14"],
  [/Too small: .+?(?=;|$)/g, "zu klein oder zu kurz"],
  [/Too big: .+?(?=;|$)/g, "zu groß oder zu lang"],
  [/Invalid option: expected one of (.+?)(?=;|$)/g, "möglich sind $1"],
  [/Invalid (?:input|string|number).*?(?=;|$)/g, "passt nicht"],
  // Of a row.
  [/^Duplicate SKU: (.+) already exists$/, "die SKU $1 gibt es schon"],
  [/^Duplicate UPC: (.+) already exists$/, "den Barcode $1 gibt es schon"],
  [/^Duplicate bin code: (.+) already exists in this warehouse$/, "den Platz $1 gibt es in diesem Lager schon"],
  [/^Purchase order (.+) already exists$/, "die Bestellung $1 gibt es schon"],
  [/^Sales order (.+) already exists$/, "den Auftrag $1 gibt es schon"],
  [/^Access denied for this warehouse$/, "dieses Lager ist Ihnen nicht erlaubt"],
  [/^Warehouse (.+) is not active: .*$/, "das Lager $1 ist nicht aktiv"],
  [/^Item (.+) is not active: .*$/, "der Artikel $1 ist nicht aktiv"],
  [/^Warehouse (.+) not found$/, "das Lager $1 gibt es nicht"],
  [/^Item (.+) not found$/, "den Artikel $1 gibt es nicht"],
  [/^Other rows of (.+) are for warehouse (\d+)$/, "andere Zeilen von $1 sind für Lager $2"],
  [/^quantity: needs a default_bin to lie in$/, "quantity: braucht einen default_bin"],
  [/ not found, and the quantity needs one to lie in$/, " gibt es nicht, und die Menge braucht einen"],
  [/ not found; imported without it$/, " gibt es nicht; ohne ihn importiert"],
  [/ is in several warehouses; import with a warehouse_id$/, " gibt es in mehreren Lagern; ein Lager wählen"],
  [
    / is a code of item (.+), too: a scan of it does not say which is meant$/,
    " ist auch ein Code von Artikel $1: Ein Scan sagt nicht, welcher gemeint ist",
  ],
  [/ is not unique; give a warehouse_id or a zone_id$/, " ist nicht eindeutig: warehouse_id oder zone_id angeben"],
  [/^(bin: .+) not found in (.+)$/, "$1 gibt es in $2 nicht"],
  [/^((?:sku|warehouse|zone): .+) not found$/, "$1 gibt es nicht"],
  [/^Insufficient quantity in (.+): (\d+) available, (\d+) requested$/, "auf $1 liegen $2, nicht $3"],
  [
    /^(\d+) units in (.+) are promised to pick tasks .*$/,
    "auf $2 gehören $1 Stück zu Pickwellen oder Umlagerungen: diese zuerst beenden",
  ],
];

/** Why a file or a row of it was not taken; what has no text in a language is shown as the service says it. */
export const rowFaultText = (fault: string): string =>
  language() === "de" ? inGerman.reduce((text, [said, german]) => text.replace(said, german), fault) : fault;
