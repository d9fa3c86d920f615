import { type ReactNode, useState } from "react";
import type { Api } from "../../shared/api.js";
import { Decision } from "./decision.js";
import { Page } from "./page.js";
import { ShownOnce } from "./shown-once.js";

interface SecretsPageProps {
  title: string;
  /** What the button says that makes a new one. */
  label: string;
  fields: ReactNode;
  /** Makes a new one; gives its secret, and what stands above that. */
  make: (values: Record<string, string>, api: Api) => Promise<{ title: string; secret: string }>;
  /** The list of what was made. */
  children: ReactNode;
}

/** The page of what has a secret, which is shown when it is made. */
export function SecretsPage({ title, label, fields, make, children }: SecretsPageProps) {
  const [made, setMade] = useState<{ title: string; secret: string }>();
  const act = async (values: Record<string, string>, api: Api) => setMade(await make(values, api));
  return (
    <Page
      title={title}
      actions={
        <Decision label={label} title={label} act={act} isWide>
          {fields}
        </Decision>
      }
    >
      {made && <ShownOnce {...made} close={() => setMade(undefined)} />}
      {children}
    </Page>
  );
}
