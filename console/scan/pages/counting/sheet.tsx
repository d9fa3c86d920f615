import type { CycleCountLine } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/scan-counting.js";
import { type Item, ItemField, type Scanned } from "../../components/item-field.js";
import { NotYet, Screen, Sent } from "../../components/parts.js";
import type { Scanning } from "../../task.js";

/** What was counted so far: by line, and of items that no line expects. */
export interface Counted {
  count_id: number;
  quantities: Record<number, number | undefined>;
  others: (Item & { quantity: number })[];
}

export interface CountBody {
  count_id: number;
  lines: { count_line_id?: number; counted_quantity: number; unexpected?: boolean; item_id?: number }[];
}

interface SheetProps {
  counted: Counted;
  set: (counted: Counted) => void;
  submit: Scanning<CountBody>;
  leave: () => void;
}

export function Sheet({ counted, set, submit, leave }: SheetProps) {
  const { count_id, quantities, others } = counted;
  const { data, error } = useRead("/api/inventory/cycle-count/{count_id}", { path: { count_id } });
  if (!data) return <NotYet title={t("count")} back={leave} error={error} isSending={submit.isPending} />;
  const { cycle_count, show_expected, lines } = data;
  const open = lines.filter(({ count_line_id }) => quantities[count_line_id] === undefined);
  const setLine = (id: number, to: number | undefined) => set({ ...counted, quantities: { ...quantities, [id]: to } });
  const setOther = (item: Item, quantity: number) => {
    const { item_id, sku, item_name } = item;
    const rest = others.filter((other) => other.item_id !== item_id);
    set({ ...counted, others: [...rest, { item_id, sku, item_name, quantity }] });
  };
  const unitsOf = ({ label }: Scanned) => label.quantity ?? 1;
  const found = ({ count_line_id: id }: CycleCountLine, scanned: Scanned) =>
    setLine(id, (quantities[id] ?? 0) + unitsOf(scanned));
  const foundOther = (item: Item, scanned: Scanned) =>
    setOther(item, (others.find(({ item_id }) => item_id === item.item_id)?.quantity ?? 0) + unitsOf(scanned));
  const restIsGone = () => {
    const none = Object.fromEntries(open.map(({ count_line_id }) => [count_line_id, 0]));
    set({ ...counted, quantities: { ...quantities, ...none } });
  };
  const isEmpty = open.length === lines.length && others.length === 0;
  const next =
    open.length > 0 ? (
      <button type="button" className="second" onClick={restIsGone}>
        {isEmpty ? t("isEmpty") : t("restIsGone", { items: open.length })}
      </button>
    ) : (
      <button
        type="button"
        className="primary"
        disabled={submit.isPending}
        onClick={() => void submit.send(bodyOf(counted, lines))}
      >
        {isEmpty ? t("isEmpty") : t("submit")}
      </button>
    );
  return (
    <Screen title={t("bin", { bin: cycle_count.bin_code })} back={leave} next={next}>
      <Sent of={submit} error={error} />
      <ItemField label={t("scanItem")} known={lines} found={found} others={foundOther} />
      {lines.length === 0 && others.length === 0 && <p>{t("empty")}</p>}
      <ul className="lines">
        {lines.map(({ count_line_id, sku, item_name, expected_quantity }) => (
          <Line
            key={count_line_id}
            {...{ sku, item_name }}
            note={show_expected ? t("expected", { quantity: expected_quantity }) : ""}
            value={quantities[count_line_id]}
            set={(to) => setLine(count_line_id, to)}
          />
        ))}
        {others.map((item) => (
          <Line
            key={`other-${item.item_id}`}
            {...item}
            note={t("notExpected")}
            value={item.quantity}
            set={(to) => setOther(item, to ?? 0)}
          />
        ))}
      </ul>
    </Screen>
  );
}

interface LineProps {
  sku: string;
  item_name: string;
  note: string;
  value: number | undefined;
  /** Undefined is not counted yet. */
  set: (to: number | undefined) => void;
}

const Line = ({ sku, item_name, note, value, set }: LineProps) => (
  <li>
    <span>
      <strong>{sku}</strong> {item_name}
      <span className="dim block">{note}</span>
    </span>
    <input
      type="number"
      inputMode="numeric"
      min={0}
      aria-label={t("countOf", { sku })}
      value={value ?? ""}
      onChange={({ currentTarget: { value: typed } }) =>
        set(typed === "" ? undefined : Math.max(0, Math.floor(Number(typed))))
      }
    />
  </li>
);

const bodyOf = ({ count_id, quantities, others }: Counted, lines: CycleCountLine[]): CountBody => ({
  count_id,
  lines: [
    ...lines.map(({ count_line_id }) => ({ count_line_id, counted_quantity: quantities[count_line_id] ?? 0 })),
    ...others.map(({ item_id, quantity }) => ({ item_id, counted_quantity: quantity, unexpected: true })),
  ],
});
