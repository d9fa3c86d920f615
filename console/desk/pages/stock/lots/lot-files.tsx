import { urlOf } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { SaveFile } from "../../../components/save-file.js";

/** The life of a lot for authorities and partners: a sheet, and an EPCIS document. */
export const LotFiles = ({ lot_id }: { lot_id: number }) => (
  <>
    <SaveFile
      label={t("traceSheet")}
      mediaType="text/csv"
      url={urlOf("/api/admin/lots/{lot_id}/traceability", { lot_id })}
      name={`lot-${lot_id}.csv`}
    />
    <SaveFile
      label={t("epcis")}
      mediaType="application/ld+json"
      url={urlOf("/api/admin/lots/{lot_id}/epcis", { lot_id })}
      name={`lot-${lot_id}.jsonld`}
    />
  </>
);
