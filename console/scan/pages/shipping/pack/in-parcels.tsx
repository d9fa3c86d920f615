import type { ReactNode } from "react";
import { useRead } from "../../../../shared/api.js";
import { percent } from "../../../../shared/format.js";
import { reasonText } from "../../../../texts/box-reasons.js";
import { t } from "../../../../texts/scan-pack.js";
import { Choice, NotYet, Refused, Screen, Sending, Waiting, Why } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { isSame, plain, useLookUp } from "../../../look-up.js";
import type { Scanning } from "../../../task.js";
import { ClosedParcel } from "./closed-parcel.js";
import { LeftToPack } from "./left-to-pack.js";
import { OpenParcel } from "./open-parcel.js";
import type { ParcelTask } from "./parcel-task.js";
import type { OrderInParcels, Progress } from "./progress.js";

interface InParcelsProps {
  so_number: string;
  progress: Progress;
  set: (progress: Progress) => void;
  parcels: ParcelTask;
  complete: Scanning<{ so_id: number }>;
}

/** An order that is packed into parcels, one after the other: which box is next, and what became of those before. */
export function InParcels({ so_number, ...props }: InParcelsProps) {
  const leave = () => props.set({});
  const order = useRead("/api/packing/order/{barcode}", { path: { barcode: so_number } });
  const so_id = order.data?.sales_order.so_id;
  if (so_id === undefined) return <NotYet title={t("order", { number: so_number })} back={leave} error={order.error} />;
  return <Parcels {...{ so_number, so_id, leave }} {...props} />;
}

function Parcels(props: InParcelsProps & { so_id: number; leave: () => void }) {
  const { so_number, so_id, progress, set, parcels: task, complete, leave } = props;
  const { data, error } = useRead("/api/packing/parcels", { query: { so_id } });
  const title = t("order", { number: so_number });
  if (!data) return <NotYet {...{ title, error }} back={leave} />;
  /** Goes on with a parcel, or to the choice of the next box; what was refused before says nothing of it. */
  const goOn = (parcel_id?: number) => {
    for (const one of Object.values(task)) one.reset();
    set({ so_number, isInParcels: true, ...(parcel_id && { parcel_id }) });
  };
  const current = data.parcels.find(({ parcel_id, status }) => parcel_id === progress.parcel_id && status === "OPEN");
  if (current)
    return (
      <OpenParcel
        {...{ task, error }}
        parcel={current}
        unpacked={data.unpacked}
        perScan={progress.perScan ?? 1}
        setPerScan={(perScan) => set({ ...progress, perScan })}
        back={() => goOn()}
      />
    );
  const isPending = task.open.isPending || task.close.isPending || task.label.isPending || complete.isPending;
  const shown = data.parcels.filter(
    ({ status, lines }) => status === "OPEN" || (status !== "VOIDED" && lines.length > 0),
  );
  // One that was opened and left empty stands in nobody's way.
  const filled = shown.filter(({ lines }) => lines.length > 0);
  const isWhole = data.unpacked.length === 0 && filled.length > 0 && filled.every(({ status }) => status !== "OPEN");
  const next = isWhole && (
    <button type="button" className="primary" disabled={isPending} onClick={() => void complete.send({ so_id })}>
      {t("completeOrder")}
    </button>
  );
  return (
    <Screen title={title} back={leave} next={next}>
      {isPending && <Sending />}
      <Refused error={complete.error ?? task.open.error ?? task.close.error ?? task.label.error ?? error} />
      {data.unpacked.length > 0 && <NextBox {...{ so_id, goOn }} order={data} open={task.open} />}
      {shown.map((parcel) => (
        <ClosedParcel key={parcel.parcel_id} parcel={parcel} label={task.label} goOn={() => goOn(parcel.parcel_id)} />
      ))}
    </Screen>
  );
}

interface NextBoxProps {
  so_id: number;
  order: OrderInParcels;
  open: ParcelTask["open"];
  goOn: (parcel_id?: number) => void;
}

/** The next parcel is begun by the code of its box, or a touch; one that is open is gone on with by its own code. */
function NextBox({ so_id, order, open, goOn }: NextBoxProps) {
  const { data, error } = useRead("/api/packing/boxes");
  const begin = (box_id: number | null) => {
    goOn();
    return open.send({ so_id, box_id });
  };
  const scanned = useLookUp(
    async (text) => {
      const code = plain(text);
      const box = data?.boxes.find(({ box_code }) => isSame(box_code, code));
      const parcel = order.parcels.find(({ barcode, status }) => status === "OPEN" && isSame(barcode, code));
      if (!box && !parcel) throw new Error(t("noSuchBox"));
      return { box, parcel };
    },
    ({ box, parcel }) => (parcel ? goOn(parcel.parcel_id) : box && begin(box.box_id)),
  );
  if (!data) return error ? <Refused error={error} /> : <Waiting />;
  const all = (
    <ul className="choices">
      {data.boxes.map(({ box_id, box_code, box_name }) => (
        <Choice key={box_id} title={box_code} text={box_name} choose={() => void begin(box_id)} />
      ))}
      <Choice title={t("noBox")} choose={() => void begin(null)} />
    </ul>
  );
  return (
    <>
      <Refused error={scanned.error} scanned={scanned.scanned} />
      <ScanField label={t("scanBox")} onScan={scanned.take} />
      <Suggestion so_id={so_id} choose={begin} left={order.unpacked} all={all} />
    </>
  );
}

interface SuggestionProps {
  so_id: number;
  choose: (box_id: number) => unknown;
  left: OrderInParcels["unpacked"];
  /** Every box there is. */
  all: ReactNode;
}

/**
 * The boxes that what is left is best packed in, each with the reason, and the others behind a fold. Where none is
 * suggested, as nobody knows how large the units are, what is left is said, and all boxes are there to choose from.
 */
function Suggestion({ so_id, choose, left, all }: SuggestionProps) {
  const { data, error } = useRead("/api/packing/parcels/suggest", { query: { so_id } });
  if (!data) return error ? <Refused error={error} /> : <Waiting />;
  if (data.parcels.length === 0)
    return (
      <>
        {all}
        <LeftToPack units={left} />
      </>
    );
  const suggested = (
    <ul className="choices">
      {data.parcels.map(({ box_id, box_code, units, reason, filled_percent }, place) => (
        <Choice
          // biome-ignore lint/suspicious/noArrayIndexKey: the same box may be suggested twice
          key={place}
          title={box_code}
          text={`${reasonText(reason)}: ${units.map(({ quantity, sku }) => `${quantity} × ${sku}`).join(", ")}`}
          note={percent(filled_percent / 100)}
          choose={() => void choose(box_id)}
        />
      ))}
    </ul>
  );
  return (
    <>
      {suggested}
      <Why label={t("otherBoxes")}>{all}</Why>
    </>
  );
}
