import { type ReactNode, useState } from "react";
import type { ReturnToReceive } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { mayOpen, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/scan-returns.js";
import { ItemField } from "../../../components/item-field.js";
import { Choice, Done, Refused, Screen, Sending, Sent, Waiting } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { plain, useLookUp } from "../../../look-up.js";
import { useProgress, useScanned } from "../../../task.js";
import { Book } from "./book.js";
import type { Last, Progress, Receipt, ReturnProps } from "./progress.js";

/** What somebody scanned for a return: its own number, that of its order, or the label of the parcel. */
const read = (code: string) => api.get("/api/receiving/returns/{barcode}", { path: { barcode: plain(code) } });

/** A return, then an item of it, its condition and its bin, again and again. */
export default function Returns() {
  const [progress, set] = useProgress<Progress>("returns", {});
  const [last, setLast] = useState<Last>({ text: "" });
  const { code, bins } = progress;
  const booking = useScanned(
    "returns",
    ({ body }: Receipt, options) => api.post("/api/receiving/receive-return", { body, ...options }),
    ({ receipt_id, status, inspection_id }, { body: { so_id, bin_id }, so_number, said, condition }) => {
      const isInspected = inspection_id !== undefined;
      const done = isInspected ? t("inspected", { ...said, number: inspection_id }) : t("received", said);
      const isComplete = status === "RECEIVED";
      setLast({
        text: isComplete ? `${done} ${t("isComplete", { number: so_number })}` : done,
        ...(!isInspected && { receipt: { so_id, receipt_id, said } }),
      });
      const kept = { bins: { ...bins, [condition]: { bin_id, bin_code: said.bin } } };
      set(isComplete ? kept : { ...kept, code: so_number });
    },
  );
  const takingBack = useScanned(
    "returns.take-back",
    ({ so_id, receipt_id }: NonNullable<Last["receipt"]>, options) =>
      api.post("/api/admin/sales-orders/{so_id}/return-receipts/{receipt_id}/reverse", {
        path: { so_id, receipt_id },
        body: {},
        ...options,
      }),
    (_, { said }) => setLast({ text: t("takenBack", said) }),
  );
  const mayTakeBack = mayOpen(useMe(), "sales-orders") && last.receipt;
  const begin = (to: Progress) => {
    booking.reset();
    takingBack.reset();
    set({ ...(bins && { bins }), ...to });
  };
  const said = (
    <>
      <Sent of={takingBack.isPending || takingBack.error ? takingBack : booking} />
      {last.text && !booking.isPending && <Done>{last.text}</Done>}
      {mayTakeBack && !takingBack.error && (
        <button
          type="button"
          className="second"
          onClick={() => void takingBack.send(mayTakeBack)}
          disabled={takingBack.isPending}
        >
          {t("takeBack")}
        </button>
      )}
    </>
  );
  if (code) return <Opened key={code} {...{ code, progress, begin, set, booking, said }} />;
  return (
    <Screen title={t("returns")}>
      {said}
      <CodeField begin={begin} />
    </Screen>
  );
}

function CodeField({ begin }: { begin: (progress: Progress) => void }) {
  const look = useLookUp(read, (_, text) => begin({ code: plain(text) }));
  return (
    <>
      <Refused error={look.error} scanned={look.scanned} />
      <ScanField label={t("scanReturn")} onScan={look.take} />
    </>
  );
}

interface OpenedProps extends Omit<ReturnProps, "returned"> {
  code: string;
  /** Goes on with something else than what was sent last. */
  begin: (progress: Progress) => void;
  said: ReactNode;
}

/** The return of a code, or the choice between those of its order. */
function Opened({ code, progress, begin, set, booking, said }: OpenedProps) {
  const { data, error } = useRead("/api/receiving/returns/{barcode}", { path: { barcode: code } });
  const back = () => begin({});
  const returns = data?.returns ?? [];
  const returned = returns.length === 1 ? returns[0] : returns.find(({ so_id }) => so_id === progress.so_id);
  const item = returned?.items.find(({ item_id }) => item_id === progress.item_id);
  if (!data)
    return (
      <Screen title={t("returns")} back={back}>
        {booking.isPending && <Sending />}
        <Refused error={error} />
        {error ? <CodeField begin={begin} /> : <Waiting />}
      </Screen>
    );
  if (!returned)
    return (
      <Screen title={t("whichReturn")} back={back}>
        <ul className="choices">
          {returns.map(({ so_id, so_number, original_so_number, items }) => (
            <Choice
              key={so_id}
              title={so_number}
              text={original_so_number ? t("ofOrder", { number: original_so_number }) : ""}
              note={items.map(({ sku, quantity_remaining }) => `${quantity_remaining} × ${sku}`).join(", ")}
              choose={() => begin({ code, so_id })}
            />
          ))}
        </ul>
        <CodeField begin={begin} />
      </Screen>
    );
  if (item) return <Book {...{ returned, item, progress, set, booking }} />;
  return <Items {...{ returned, code, progress, begin, back, said }} />;
}

interface ItemsProps extends Pick<OpenedProps, "code" | "progress" | "begin" | "said"> {
  returned: ReturnToReceive;
  back: () => void;
}

/** What of a return is still to come. */
function Items({ returned, code, progress, begin, back, said }: ItemsProps) {
  const { so_number, original_so_number, customer_name, memo, items } = returned;
  const choose = (chosen: Progress) =>
    begin({ code, ...(progress.so_id !== undefined && { so_id: progress.so_id }), ...chosen });
  return (
    <Screen title={t("returnOf", { number: so_number })} back={back}>
      {said}
      <p className="dim">
        {[original_so_number && t("ofOrder", { number: original_so_number }), customer_name, memo]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <ItemField
        label={t("scanItem")}
        known={items}
        found={({ item_id, has_serials }, { text, label }) => {
          const perScan = label.quantity ?? 1;
          const serials = has_serials && label.serial_number ? [label.serial_number] : [];
          const { lot_number: lot, expiry_date: expiry } = label;
          choose({ item_id, scanned: text, quantity: has_serials ? 1 : perScan, perScan, lot, expiry, serials });
        }}
      />
      <section>
        <h2>{t("expected")}</h2>
        <ul className="choices">
          {items
            .filter(({ quantity_remaining }) => quantity_remaining > 0)
            .map(({ item_id, sku, item_name, quantity_remaining: remaining, quantity_expected: expected }) => (
              <Choice
                key={item_id}
                title={sku}
                text={item_name}
                note={t("remaining", { remaining, expected })}
                choose={() => choose({ item_id, quantity: 1 })}
              />
            ))}
        </ul>
      </section>
    </Screen>
  );
}
