import { createContext, Fragment, type ReactNode, use, useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Answer } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { byClock, setClock } from "../../shared/format.js";
import { keptFor } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { Waiting } from "./states.js";

type Choice = Answer<"/api/warehouses/list">["warehouses"][number];

/** The record that a page is about, and its warehouse. */
interface Shown {
  pathname: string;
  warehouse_id: number;
}

interface Chosen {
  warehouses: Choice[];
  /** What is shown; undefined is all warehouses of the user. */
  warehouseId: number | undefined;
  choose: (id: number | undefined) => void;
  /** Whether the warehouses were read, or cannot be. */
  isKnown: boolean;
  /** The warehouse by whose clock the page is; undefined where it is of several. */
  ofClock: Choice | undefined;
  /** The time zone of that clock. */
  timezone: string | undefined;
  show: (record: Shown) => void;
}

const none = { warehouses: [], isKnown: false, warehouseId: undefined, ofClock: undefined, timezone: undefined };
const Context = createContext<Chosen>({ ...none, choose: () => {}, show: () => {} });

/** The warehouse that the desk looks at, and the others to choose from. */
export const useWarehouse = () => use(Context);

export function Warehouses({ children }: { children: ReactNode }) {
  const { data, error } = useRead("/api/warehouses/list");
  const last = keptFor<number | null>(useMe().external_id, "warehouse", null);
  const [id, setId] = useState(last.get());
  const [shown, show] = useState<Shown>();
  const { pathname } = useLocation();
  const warehouses = data?.warehouses ?? [];
  const choose = (chosen: number | undefined) => {
    last.set(chosen ?? null);
    setId(chosen ?? null);
  };
  const byId = (wanted: number | null | undefined) => warehouses.find((warehouse) => warehouse.id === wanted);
  // One that was taken away since.
  const isThere = data === undefined || byId(id) !== undefined;
  const warehouseId = isThere ? (id ?? undefined) : undefined;
  const [only] = warehouses.length === 1 ? warehouses : [];
  const ofClock = byId(shown?.pathname === pathname ? shown.warehouse_id : warehouseId) ?? only;
  const timezone = ofClock?.timezone ?? data?.timezone;
  const isKnown = Boolean(data ?? error);
  return <Context value={{ warehouses, warehouseId, choose, isKnown, ofClock, timezone, show }}>{children}</Context>;
}

/** Shows its children by the clock of the warehouse in sight; when that is another one, all times are shown anew. */
export function ByClock({ children }: { children: ReactNode }) {
  const { isKnown, timezone } = useWarehouse();
  setClock(timezone);
  return isKnown ? <Fragment key={timezone}>{children}</Fragment> : <Waiting />;
}

/** A page about a record is by the clock of that record's warehouse. */
export function useClockOf(warehouse_id: number | undefined): void {
  const { show } = useWarehouse();
  const { pathname } = useLocation();
  useEffect(() => {
    if (warehouse_id) show({ pathname, warehouse_id });
  }, [show, pathname, warehouse_id]);
}

/** The warehouse of a row; of what goes from one to another, the first, as on its page. */
interface OfWarehouse {
  warehouse_id?: number | null;
  source_warehouse_id?: number;
  from_warehouse_id?: number;
}

/** Says something of a row by the clock of its warehouse. */
export function useRowClock(): <T>(row: object, say: () => T) => T {
  const { warehouses } = useWarehouse();
  return (row, say) => {
    const { warehouse_id, source_warehouse_id, from_warehouse_id }: OfWarehouse = row;
    const own = warehouse_id ?? source_warehouse_id ?? from_warehouse_id;
    return byClock(warehouses.find(({ id }) => id === own)?.timezone, say);
  };
}
