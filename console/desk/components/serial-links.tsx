import { MaybeLink } from "./maybe-link.js";

/** Serial numbers of units, each of which leads to its life. */
export const SerialLinks = ({ of }: { of: string[] }) =>
  of.map((serial) => (
    <div key={serial}>
      <MaybeLink to={`/serials/${encodeURIComponent(serial)}`}>{serial}</MaybeLink>
    </div>
  ));
