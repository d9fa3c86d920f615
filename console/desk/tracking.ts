/** Where carriers tell how far a parcel is, by what their names begin with; the number comes at the end. */
const pages: [carrier: RegExp, page: string][] = [
  [/^ups\b/i, "https://www.ups.com/track?tracknum="],
  [/^fedex\b/i, "https://www.fedex.com/fedextrack/?trknbr="],
  [/^usps\b/i, "https://tools.usps.com/go/TrackConfirmAction?tLabels="],
  [/^dhl\b/i, "https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id="],
  [/^dpd\b/i, "https://tracking.dpd.de/status/en_US/parcel/"],
  [/^gls\b/i, "https://gls-group.com/track/"],
];

/** The carrier's page of a parcel, as its customer gets it; undefined for a carrier that is not known. */
export function trackingPage(carrier: string | null, number: string | null): string | undefined {
  const [, page] = pages.find(([name]) => name.test(carrier ?? "")) ?? [];
  return page && number ? page + encodeURIComponent(number) : undefined;
}
