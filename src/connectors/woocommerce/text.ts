const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", ndash: "–", nbsp: " " };

/** A name without HTML: WordPress stores "Salt &amp; Pepper", and WooCommerce sends it so. */
export const plainText = (html: string | null): string | null =>
  html
    ?.replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(?:#(\d{1,6})|(\w{1,8}));/g, (entity, code?: string, name = "") =>
      code ? String.fromCodePoint(Number(code)) : (named[name] ?? entity),
    )
    .trim() ?? null;
