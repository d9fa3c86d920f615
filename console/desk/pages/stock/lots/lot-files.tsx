import { Button } from "@mantine/core";
import { urlOf } from "../../../../../client/src/index.js";
import { useAction } from "../../../../shared/api.js";
import { save } from "../../../../shared/save.js";
import { t } from "../../../../texts/lots.js";
import { Refused } from "../../../components/states.js";

/** The life of a lot for authorities and partners: a sheet, and an EPCIS document. */
export function LotFiles({ lot_id }: { lot_id: number }) {
  const sheet = useAction(() => save("text/csv", urlOf(SHEET, { lot_id }), `lot-${lot_id}.csv`));
  const epcis = useAction(() => save("application/ld+json", urlOf(EPCIS, { lot_id }), `lot-${lot_id}.jsonld`));
  return (
    <>
      <Refused error={sheet.error ?? epcis.error} />
      <Button variant="default" onClick={() => sheet.mutate({})} loading={sheet.isPending}>
        {t("traceSheet")}
      </Button>
      <Button variant="default" onClick={() => epcis.mutate({})} loading={epcis.isPending}>
        {t("epcis")}
      </Button>
    </>
  );
}

const SHEET = "/api/admin/lots/{lot_id}/traceability";
const EPCIS = "/api/admin/lots/{lot_id}/epcis";
