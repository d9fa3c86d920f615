import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/scan.js";
import { type Take, useScans, useTake } from "./scans.js";

const Camera = lazy(() => import("./camera.js"));

interface ScanFieldProps {
  label: string;
  onScan: Take;
}

/**
 * Says what is to be scanned, and takes it: from a scanner, which the whole page hears, from the camera, or from
 * fingers. It has the focus whenever nothing else needs it, and no keyboard of the phone covers the page until somebody
 * asks for it.
 */
export function ScanField({ label, onScan }: ScanFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [isCameraOpen, setCameraOpen] = useState(false);
  const { scan } = useScans();

  useEffect(() => {
    if (!isCameraOpen) input.current?.focus();
  }, [isCameraOpen]);
  useTake((text, at) => {
    setCameraOpen(false);
    return onScan(text, at);
  });
  return (
    <form
      className="scan-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (!input.current) return;
        scan(input.current.value);
        input.current.value = "";
      }}
    >
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input
          id={id}
          ref={input}
          data-scan=""
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          placeholder={t("orType")}
          inputMode={isTyping ? "text" : "none"}
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
          <Camera onCode={scan} onClose={() => setCameraOpen(false)} />
        </Suspense>
      )}
    </form>
  );
}
