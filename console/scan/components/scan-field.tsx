import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { readBarcode, type Scanned, SEPARATOR } from "../../shared/gs1.js";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/scan.js";
import { noteTyped } from "../look-up.js";
import { wrong } from "../signals.js";
import { FAST_MS, hearScans } from "./wedge.js";

const Camera = lazy(() => import("./camera.js"));

interface ScanFieldProps {
  label: string;
  onScan: (scanned: Scanned) => void;
  isBusy?: boolean;
}

/**
 * Takes a barcode from a scanner that types it and ends with Enter, from the camera, or from fingers. It has the focus
 * whenever nothing else needs it, and no keyboard of the phone covers the page until somebody asks for it.
 */
export function ScanField({ label, onScan, isBusy = false }: ScanFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const keys = useRef({ last: 0, areSlow: false });
  const [isTyping, setTyping] = useState(false);
  const [isCameraOpen, setCameraOpen] = useState(false);

  useEffect(() => {
    if (!isCameraOpen) input.current?.focus();
  }, [isCameraOpen]);
  const take = (text: string, isTyped = false) => {
    setCameraOpen(false);
    if (input.current) input.current.value = "";
    if (!text.trim()) return;
    // Somebody who scans faster than the network hears that this one was not taken.
    if (isBusy) return wrong();
    const scanned = readBarcode(text);
    noteTyped(isTyped ? scanned.code : undefined);
    onScan(scanned);
  };
  const newest = useRef(take);
  newest.current = take;
  useEffect(
    () =>
      hearScans(
        () => input.current,
        (text) => newest.current(text),
      ),
    [],
  );
  return (
    <form
      className="scan-field"
      onSubmit={(event) => {
        event.preventDefault();
        take(input.current?.value ?? "", keys.current.areSlow);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input
          id={id}
          ref={input}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          placeholder={t("orType")}
          inputMode={isTyping ? "text" : "none"}
          onKeyDown={({ key, ctrlKey, timeStamp, currentTarget }) => {
            const { last, areSlow } = keys.current;
            // The first key of a scan may have come while the focus was elsewhere.
            const hasBegun = currentTarget.value.length > 1;
            keys.current = { last: timeStamp, areSlow: hasBegun && (areSlow || timeStamp - last > FAST_MS) };
            // How scanners type the separator of GS1, which no key stands for.
            if (ctrlKey && key === "]") currentTarget.value += SEPARATOR;
          }}
        />
        {isTyping ? (
          <button type="submit" className="square">
            {t("ok")}
          </button>
        ) : (
          <button
            type="button"
            className="square"
            aria-label={t("keyboard")}
            onClick={() => {
              setTyping(true);
              input.current?.focus();
            }}
          >
            <Icon of="keyboard" />
          </button>
        )}
        <button type="button" className="square" aria-label={t("camera")} onClick={() => setCameraOpen(true)}>
          <Icon of="camera" />
        </button>
      </div>
      {isCameraOpen && (
        <Suspense fallback={<p>{t("loading")}</p>}>
          <Camera onCode={take} onClose={() => setCameraOpen(false)} />
        </Suspense>
      )}
    </form>
  );
}
