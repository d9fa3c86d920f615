import { Button } from "@mantine/core";
import { useAction } from "../../shared/api.js";
import { save } from "../../shared/save.js";
import { Refused } from "./states.js";

interface SaveFileProps {
  label: string;
  mediaType: string;
  url: string;
  /** What the file is called where the service does not say. */
  name: string;
  isSmall?: boolean;
}

/** Saves what the service answers as a file. */
export function SaveFile({ label, mediaType, url, name, isSmall = false }: SaveFileProps) {
  const file = useAction(() => save(mediaType, url, name));
  return (
    <>
      <Refused error={file.error} />
      <Button
        variant="default"
        {...(isSmall && { size: "xs" })}
        onClick={() => file.mutate({})}
        loading={file.isPending}
      >
        {label}
      </Button>
    </>
  );
}
