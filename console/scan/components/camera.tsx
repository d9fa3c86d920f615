import { useEffect, useRef, useState } from "react";
import { t } from "../../texts/scan.js";
import { detector } from "./detector.js";

interface CameraProps {
  onCode: (code: string) => void;
  onClose: () => void;
}

const LOOK_EVERY_MS = 150;

/** Shows what the camera sees until there is a barcode in it. */
export default function Camera({ onCode, onClose }: CameraProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const found = useRef(onCode);
  found.current = onCode;
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
    let stream: MediaStream | undefined;
    let isOpen = true;
    const look = async () => {
      const [opened, barcodes] = await Promise.all([
        navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }),
        detector(),
      ]);
      stream = opened;
      while (isOpen && video.current) {
        if (!video.current.srcObject) {
          video.current.srcObject = stream;
          await video.current.play();
        }
        const [code] = await barcodes.detect(video.current);
        if (code && isOpen) return found.current(code.rawValue);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    look()
      .catch(() => isOpen && setFailed(true))
      .finally(stop);
    return () => {
      isOpen = false;
      stop();
    };
  }, []);

  return (
    <dialog ref={dialog} className="camera" onClose={onClose} aria-label={t("camera")}>
      {hasFailed ? <p role="alert">{t("cameraFailed")}</p> : <video ref={video} playsInline muted />}
      <button type="button" onClick={onClose}>
        {t("close")}
      </button>
    </dialog>
  );
}
