import { Refusal } from "../../../client/src/index.js";
import { Choice } from "./parts.js";

interface Candidate {
  item_id: number;
  sku: string;
  item_name: string;
}

interface CandidatesProps {
  error: unknown;
  /** What it can be here; without it, anything. */
  among?: { item_id: number }[] | undefined;
  choose: (item_id: number) => void;
}

/** The items that have the code which was scanned, where that is why it was refused. */
export function Candidates({ error, among, choose }: CandidatesProps) {
  if (!(error instanceof Refusal) || error.code !== "ambiguous_barcode") return null;
  const candidates = (error.body.candidates ?? []) as Candidate[];
  const isHere = ({ item_id }: Candidate) => !among || among.some((one) => one.item_id === item_id);
  return (
    <ul className="choices">
      {candidates.filter(isHere).map(({ item_id, sku, item_name }) => (
        <Choice key={item_id} title={sku} text={item_name} choose={() => choose(item_id)} />
      ))}
    </ul>
  );
}
