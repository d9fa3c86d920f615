import { Textarea } from "@mantine/core";
import { useState } from "react";

interface OriginsFieldProps {
  label: string;
  description: string;
  /** `[{"origin": "web", "label": "Web shop"}]` */
  value: string;
  set: (value: string) => void;
}

/** Origins of orders and what they are called, a line each: `web = Web shop`. */
export function OriginsField({ label, description, value, set }: OriginsFieldProps) {
  const [typed, setTyped] = useState<string>();
  const change = (text: string) => {
    setTyped(text);
    set(JSON.stringify(text.split("\n").flatMap(originIn)));
  };
  return (
    <Textarea
      {...{ label, description }}
      maw={500}
      autosize
      minRows={3}
      value={typed ?? textOf(value)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function originIn(line: string): { origin: string; label: string }[] {
  const [origin = "", ...rest] = line.split("=").map((part) => part.trim());
  return origin ? [{ origin, label: rest.join("=") || origin }] : [];
}

/** The lines of the stored text; it is shown as it is where it cannot be read. */
function textOf(json: string): string {
  try {
    const origins = JSON.parse(json) as { origin: string; label: string }[];
    return origins.map(({ origin, label }) => `${origin} = ${label}`).join("\n");
  } catch {
    return json;
  }
}
