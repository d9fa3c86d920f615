import { useNavigate } from "react-router";
import type { NextPickTask } from "../../../../client/src/index.js";
import { useProgress } from "../../task.js";
import type { Progress } from "../stock/damage/progress.js";

/** Leads to the page for damage with bin and item of a pick, which leads back to it, and what was reported there. */
export function useDamageOfPick() {
  const [{ told }, set] = useProgress<Progress>("damage", {});
  const navigate = useNavigate();
  return {
    told,
    forget: () => set({}),
    report: ({ bin_barcode, sku, lot_number }: NextPickTask, quantity: number) => {
      set({ ofPick: { bin_barcode, sku, lot_number }, quantity });
      void navigate("/damage");
    },
  };
}
