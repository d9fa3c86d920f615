// Writes the files of samples/ as the programs write them that people keep their products in:
// node test/files/make.mjs
import { writeFileSync } from "node:fs";

const WINDOWS = { "€": 0x80, "–": 0x96, "”": 0x94 };
const windows1252 = (text) => Buffer.from([...text].map((character) => WINDOWS[character] ?? character.charCodeAt(0)));
const utf16 = (text) => Buffer.from(`\uFEFF${text}`, "utf16le");
const write = (name, content) => writeFileSync(new URL(`samples/${name}`, import.meta.url), content);

const COLUMNS = ["sku", "item_name", "description", "upc", "category", "weight_lbs"];
/** The products themselves, with every difficulty that is none: text is text. */
const products = [
  ["MUG-BL", 'Becher "Größe XL", blau', "Für 0,3 l – spülmaschinenfest", "4006381333931", "Küche", "0.75"],
  ["TEA-01", "Thé à la menthe", "Erste Zeile\nzweite; mit Semikolon", "036000291452", "Tee", "1.5"],
  ["PIPE-3", 'Rohr 3"', "Preis 5 €, Bestellung +49 (0)30 123-45", "", "Sanitär", "12"],
  ["00042", "Schraube", "", "", "Kleinteile", "0.125"],
];
const only = (separator, marks) => (value) =>
  [separator, '"', "\n", ...marks].some((mark) => value.includes(mark)) ? `"${value.replaceAll('"', '""')}"` : value;
const always = (value) => `"${value.replaceAll('"', '""')}"`;
const table = (separator, end, quote, rows = products, head = COLUMNS) =>
  [head, ...rows].map((row) => row.map(quote).join(separator) + end).join("");
const withComma = products.map((row) => row.with(5, row[5].replace(".", ",")));

// Excel, "CSV (separated)", in Germany: the encoding of the country, semicolons, decimal commas.
write("excel-german.csv", windows1252(table(";", "\r\n", only(";", []), withComma)));
// Excel, "CSV UTF-8", in the United States: a byte order mark.
write("excel-utf8.csv", `\uFEFF${table(",", "\r\n", only(",", []))}`);
// Excel, "Unicode text": UTF-16 with tabs; what has a comma is quoted, too.
write("excel-unicode.txt", utf16(table("\t", "\r\n", only("\t", [","]))));
// LibreOffice, "quote all text cells": numbers are not quoted.
const textOnly = (value) => (/^[1-9]\d*(\.\d+)?$|^0\.\d+$/.test(value) && value.length < 12 ? value : always(value));
write(
  "libreoffice.csv",
  table(",", "\n", (value) => (value === "" ? "" : textOnly(value))),
);
// Numbers: no line break behind the last row, and empty columns behind the last one.
write(
  "numbers.csv",
  table(
    ",",
    "\r\n",
    only(",", []),
    products.map((row) => [...row, ""]),
    [...COLUMNS, ""],
  ).trimEnd(),
);
// An ERP in Europe: a line for Excel, everything quoted, codes kept as text, a separator at the end of each row.
const kept = withComma.map((row) => [`="${row[0]}"`, row[1], row[2], row[3] && `="${row[3]}"`, row[4], row[5]]);
const erp = table(
  ";",
  ";\r\n",
  always,
  kept,
  COLUMNS.map((name) => name.toUpperCase()),
);
write("erp-european.csv", windows1252(`sep=;\r\n${erp}`));
// A list as this service writes it, to be changed and brought back.
const HEAD = ["sku", "item_name", "upc", "category", "weight_lbs"];
const ours = [
  ["MUG-BL", "'=Becher", "4006381333931", "x;'=cmd|' /C calc'!A0", "0.75"],
  ["TEA-01", "''=Thé", "", "'+49 30 12345", ""],
];
write("downloaded-here.csv", `\uFEFF${table(",", "\r\n", only(",", []), ours, HEAD)}`);

// What a spreadsheet has spoiled: long numbers, zeros at the beginning, thousands.
const spoiled = [
  ["GOOD", "Becher", "4006381333931", "0,75"],
  ["LONG", "Becher", "4,00638E+12", "0,75"],
  ["4,00638E+12", "Becher", "", "0,75"],
  ["ZEROS", "Becher", "36000291452", "0,75"],
  ["CHECK", "Becher", "4006381333932", "0,75"],
  ["WEIGHT", "Becher", "", "1,250"],
];
write(
  "spoiled-codes.csv",
  windows1252(table(";", "\r\n", only(";", []), spoiled, ["sku", "item_name", "upc", "weight_lbs"])),
);
// Formulas, plain, in full width and behind a separator, and what only looks like one.
const formulas = [
  ["A", "=1+1", ""],
  ["B", "＝1+1", ""],
  ["C", "x;=cmd|' /C calc'!A0", ""],
  ["D", "'=1+1", "+49 (0) 30/123-45"],
  ["E", "a = b", "-5"],
];
write("formulas.csv", table(",", "\r\n", only(",", []), formulas, ["sku", "item_name", "description"]));
// Written by hand: a comma in a name moves all that stands behind it; an empty line is a row of the sheet.
write("shifted.csv", "sku,item_name,category\nA,Mug,Kitchen\n\nB,Mug, blue,Kitchen\nC,Bowl\nD,Cup,Kitchen\n");
// Not to be read at all.
write("column-twice.csv", "sku;item_name;SKU\r\nA;Mug;B\r\n");
write("column-unknown.csv", "sku;item_name;farbe\r\nA;Mug;blau\r\n");
write("workbook.csv", Buffer.concat([Buffer.from("PK\u0003\u0004\u0014\u0000\u0006\u0000"), Buffer.alloc(64, 7)]));
write("quote-open.csv", 'sku,item_name\nA,Mug\nB,"Bowl\nC,Cup\n');
