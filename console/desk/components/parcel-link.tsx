import type { ListedParcel } from "../../../client/src/index.js";
import { number } from "../../shared/format.js";
import { MaybeLink } from "./maybe-link.js";

/** Which parcel of its order it is, and a link to its page. */
export const ParcelLink = ({ parcel_id, parcel_number }: ListedParcel) => (
  <MaybeLink to={`/parcels/${parcel_id}`}>{number(parcel_number)}</MaybeLink>
);
