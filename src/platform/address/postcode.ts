import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** Countries where carriers take no parcel without one. */
const NEEDED =
  "AT AU BE BR CA CH CN CZ DE DK EE ES FI FR GB GR HU IN IT JP KR LT LU MX NL NO PL PT SE SG SK TR TW US".split(" ");

export const needsPostcode = (country: string): boolean => NEEDED.includes(country);

/** Codes in use that the library does not know: older ones of Argentina, the post of the British forces. */
const ALSO: Record<string, RegExp> = { AR: /^\d{4}$/, GB: /^BFPO ?\d{1,4}$/, SA: /^\d{5}-\d{4}$/ };

const isOf = (country: string, code: string) => postcodeValidator(code, country) || ALSO[country]?.test(code) === true;

/**
 * A postcode as its country writes it: in capitals, with the space or hyphen that belongs there, and without the
 * country before it (`D-10115`). Undefined where the country has none of that form.
 */
export function postcode(country: string, given: string): string | undefined {
  const code = given.trim().toUpperCase().replace(/\s+/g, " ");
  if (!postcodeValidatorExistsForCountry(country)) return code;
  const bare = code.replace(/[^A-Z0-9]/g, "");
  const parted = Array.from(bare, (_, at) => [bare.slice(0, at), bare.slice(at)] as const).slice(1);
  const forms = [
    ...[code, code.replace(/^[A-Z]{1,3}[- ](?=\d)/, ""), bare],
    ...parted.flatMap(([head, tail]) => [`${head}-${tail}`, `${head} ${tail}`]),
  ];
  return forms.find((form) => isOf(country, form));
}
