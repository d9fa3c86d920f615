import { Refusal } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";
import { useScanned } from "../../../task.js";
import type { Progress } from "./progress.js";
import type { UnitScan } from "./unit-field.js";

/** What is sent of a scan into a parcel. */
export interface UnitForParcel extends UnitScan {
  parcel_id: number;
}
interface NewParcel {
  so_id: number;
  box_id: number | null;
}
interface Closing {
  parcel_id: number;
  /** Without it, what its contents and its box weigh. */
  weight_lbs?: number;
}
interface Label {
  parcel_id: number;
}

/** In a house without carriers nobody misses a label. */
const NO_CARRIER = "no_carrier_account";

/** What is done with the parcels of an order, each thing once, whatever becomes of the net. */
export function useParcelTask({ so_number }: Progress, set: (progress: Progress) => void) {
  const within = so_number ? { so_number, isInParcels: true } : undefined;
  const open = useScanned(
    "pack.open",
    (body: NewParcel, options) => api.post("/api/packing/parcels", { body, ...options }),
    ({ parcel_id }) => within && set({ ...within, parcel_id }),
  );
  const fill = useScanned(
    "pack.fill",
    ({ parcel_id, ...body }: UnitForParcel, options) =>
      api.post("/api/packing/parcels/{parcel_id}/scan", { path: { parcel_id }, body, ...options }),
    (_, { parcel_id }) => within && set({ ...within, parcel_id }),
  );
  const takeOut = useScanned(
    "pack.takeOut",
    ({ parcel_id, ...body }: { parcel_id: number; parcel_line_id: number }, options) =>
      api.post("/api/packing/parcels/{parcel_id}/take-out", { path: { parcel_id }, body, ...options }),
    () => {},
  );
  // The carrier is asked behind this: a packer waits for none.
  const label = useScanned(
    "pack.label",
    ({ parcel_id }: Label, options) =>
      api
        .post("/api/packing/parcels/{parcel_id}/label", { path: { parcel_id }, body: {}, ...options })
        .catch((error) => {
          if (error instanceof Refusal && error.code === NO_CARRIER) return null;
          throw error;
        }),
    () => {},
  );
  const close = useScanned(
    "pack.close",
    ({ parcel_id, ...body }: Closing, options) =>
      api.post("/api/packing/parcels/{parcel_id}/close", { path: { parcel_id }, body, ...options }),
    (_, { parcel_id }) => {
      if (within) set(within);
      void label.send({ parcel_id });
    },
  );
  return { open, fill, takeOut, close, label };
}
export type ParcelTask = ReturnType<typeof useParcelTask>;
