import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { WarehouseChoice as Choice } from "../../../client/src/index.js";
import { useRead } from "../../shared/api.js";
import { keptFor } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { t } from "../../texts/scan.js";
import { Failure, Screen, Waiting } from "./parts.js";

interface Chosen {
  warehouse: Choice;
  warehouses: Choice[];
  choose: (id: number) => void;
}
const Context = createContext<Chosen | undefined>(undefined);

/** The warehouse in which the person stands. */
export function useWarehouse(): Chosen {
  const chosen = use(Context);
  if (!chosen) throw new Error("no warehouse is chosen");
  return chosen;
}

/** Nobody stands in a warehouse that is only in the books, so it is offered last. Only its name says so. */
const isVirtual = ({ code, name }: Choice) => /virtu(al|ell)/i.test(`${code} ${name}`);

/** Asks for the warehouse first, where there are several. */
export function Warehouse({ children }: { children: ReactNode }) {
  const { data, error } = useRead("/api/warehouses/list");
  const { external_id } = useMe();
  const last = keptFor<number | null>(external_id, "warehouse", null);
  const [id, setId] = useState(last.get());
  const known = keptFor<Choice[] | null>(external_id, "warehouses", null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read last opens the page without the net
  useEffect(() => {
    if (data) known.set(data.warehouses);
  }, [data]);
  const choices = data?.warehouses ?? known.get();
  if (!choices) return error ? <Failure error={error} /> : <Waiting />;
  const warehouses = [...choices].sort((one, other) => Number(isVirtual(one)) - Number(isVirtual(other)));
  const choose = (chosen: number) => {
    last.set(chosen);
    setId(chosen);
  };
  const only = warehouses.length === 1 ? warehouses[0] : undefined;
  const warehouse = only ?? warehouses.find((one) => one.id === id);
  if (!warehouse) return <Choose warehouses={warehouses} choose={choose} />;
  return <Context value={{ warehouse, warehouses, choose }}>{children}</Context>;
}

const Choose = ({ warehouses, choose }: Pick<Chosen, "warehouses" | "choose">) => (
  <Screen title={t("chooseWarehouse")}>
    {warehouses.length === 0 && <p>{t("noWarehouse")}</p>}
    <ul className="choices">
      {warehouses.map(({ id, code, name }) => (
        <li key={id}>
          <button type="button" onClick={() => choose(id)}>
            <strong>{code}</strong> {name}
          </button>
        </li>
      ))}
    </ul>
  </Screen>
);

/** The same as a page of its own, to go to another warehouse. */
export function WarehouseChoice() {
  const { warehouses, choose } = useWarehouse();
  const go = useNavigate();
  const andGo = (id: number) => {
    choose(id);
    void go("/");
  };
  return <Choose warehouses={warehouses} choose={andGo} />;
}
