import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Label } from "../../client/src/index.js";
import { reading } from "./api.js";

const PATH = "/api/packing/parcels/{parcel_id}/labels";
/** Where what a label changes of its parcel is read. */
const PARCELS = ["/api/packing/parcels", "/api/admin/parcels"];

/** A carrier mostly answers within some seconds. */
const EVERY_MS = 2_000;

const isUnderWay = ({ status }: Label) => status === "pending" || status === "voiding";
/** Whether the parcel has it, or may come to have it. */
export const hasLabel = ({ status }: Label) => !["failed", "cancelled", "voided", "written_off"].includes(status);
/** Whether it is still to be bought after an attempt: it comes by itself. */
export const isLate = ({ status, attempts }: Label) => status === "pending" && attempts > 0;

/** The labels of a parcel, the newest first, read again as long as something is to be done for one. */
export function useLabels(parcel_id: number): Label[] {
  const client = useQueryClient();
  const { data } = useQuery({
    ...reading(PATH, { path: { parcel_id } }),
    refetchInterval: ({ state }) => (state.data?.labels.some(isUnderWay) ? EVERY_MS : false),
  });
  const labels = data?.labels ?? [];
  const isWaiting = labels.some(isUnderWay);
  useEffect(() => {
    if (!isWaiting) return;
    return () => {
      const isOfParcels = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
        path !== PATH && PARCELS.some((one) => String(path).startsWith(one));
      void client.invalidateQueries({ predicate: isOfParcels });
    };
  }, [client, isWaiting]);
  return labels;
}
