/**
 * The tracking numbers that a scanned code may stand for, as it is first. The barcode of USPS has the receiver's ZIP
 * code before the number: 420, five or nine digits, then the number, which begins with 9.
 */
export function trackingNumbersIn(scanned: string): string[] {
  const code = scanned.trim();
  const [, behindZip] = /^420(?:\d{5}|\d{9})(9\d{19,25})$/.exec(code) ?? [];
  return behindZip === undefined ? [code] : [code, behindZip];
}
