import { createContext, type ReactNode, use, useState } from "react";
import type { Answer } from "../../client/src/index.js";
import { useRead } from "../shared/api.js";
import { kept } from "../shared/kept.js";

type Choice = Answer<"/api/warehouses/list">["warehouses"][number];

interface Chosen {
  warehouses: Choice[];
  /** What is shown; undefined is all warehouses of the user. */
  warehouseId: number | undefined;
  choose: (id: number | undefined) => void;
}

const Context = createContext<Chosen>({ warehouses: [], warehouseId: undefined, choose: () => {} });
const last = kept<number | null>("warehouse", null);

/** The warehouse that the desk looks at, and the others to choose from. */
export const useWarehouse = () => use(Context);

export function Warehouses({ children }: { children: ReactNode }) {
  const { data } = useRead("/api/warehouses/list");
  const [id, setId] = useState(last.get());
  const warehouses = data?.warehouses ?? [];
  const choose = (chosen: number | undefined) => {
    last.set(chosen ?? null);
    setId(chosen ?? null);
  };
  // One that was taken away since.
  const isThere = data === undefined || warehouses.some((warehouse) => warehouse.id === id);
  const warehouseId = isThere ? (id ?? undefined) : undefined;
  return <Context value={{ warehouses, warehouseId, choose }}>{children}</Context>;
}
