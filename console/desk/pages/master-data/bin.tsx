import { useNavigate, useParams } from "react-router";
import type { BinWithZone } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/master-data.js";
import { typeText } from "../../../texts/types.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { PrintLabel } from "../../components/print-label.js";
import { Loaded } from "../../components/states.js";
import { Active } from "../../components/status.js";
import { DataTable } from "../../components/table.js";
import { StockList } from "../stock/stock-list.js";
import { BinFields, binIn, ZoneField } from "./bin-fields.js";

export default function Bin() {
  const bin_id = Number(useParams().bin_id);
  const me = useMe();
  return (
    <Loaded of={useRead("/api/admin/bins/{bin_id}", { path: { bin_id } })}>
      {({ bin, inventory }) => (
        <Page
          title={bin.bin_code}
          warehouse_id={bin.warehouse_id}
          mark={!bin.is_active && <Active is={false} text={t("inactive")} />}
          actions={
            <>
              <PrintLabel
                path="/api/admin/bins/{bin_id}/label"
                of={{ bin_id }}
                print={{ document: "bin_label", record_ids: [bin_id] }}
                warehouseId={bin.warehouse_id}
              />
              {mayOpen(me, "bins") && <BinActions bin={bin} maySeeZones={mayOpen(me, "zones")} />}
            </>
          }
        >
          <Section title={t("bin")}>
            <Facts
              of={[
                [t("barcode"), bin.bin_barcode],
                [t("warehouse"), bin.warehouse_code],
                [t("zone"), bin.zone_name],
                [t("type"), bin.is_reserve ? `${typeText(bin.bin_type)}, ${t("reserve")}` : typeText(bin.bin_type)],
                [t("aisle"), bin.aisle],
                [t("row"), bin.row_num],
                [t("level"), bin.level_num],
                [t("position"), bin.position_num],
                [t("pickSequence"), number(bin.pick_sequence)],
                [t("putawaySequence"), number(bin.putaway_sequence)],
              ]}
            />
          </Section>
          <Section title={t("contents")}>
            {mayOpen(me, "inventory") ? (
              <StockList of={{ bin_id }} />
            ) : (
              <DataTable
                title={t("contents")}
                rows={inventory}
                columns={[
                  { field: "sku", title: t("sku") },
                  { field: "item_name", title: t("name") },
                  { field: "quantity_on_hand", title: t("onHand"), right: true },
                  { field: "quantity_allocated", title: t("allocated"), right: true },
                ]}
              />
            )}
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

function BinActions({ bin, maySeeZones }: { bin: BinWithZone; maySeeZones: boolean }) {
  const navigate = useNavigate();
  const { bin_id, zone_id, warehouse_id } = bin;
  const path = { bin_id };
  const edit = (values: Record<string, string>, api: Api) => {
    const is_active = values.is_active === "on";
    const body = { ...binIn({ zone_id: String(zone_id), ...values }), is_active };
    return api.put("/api/admin/bins/{bin_id}", { path, body });
  };
  const remove = async (_: unknown, api: Api) => {
    await api.delete("/api/admin/bins/{bin_id}", { path });
    await navigate("/bins");
  };
  return (
    <>
      <Decision label={t("edit")} verb={t("save")} title={t("editBin", { bin: bin.bin_code })} act={edit} isWide>
        {maySeeZones && <ZoneField warehouseId={warehouse_id} value={zone_id} />}
        <BinFields of={bin} />
      </Decision>
      <Decision label={t("delete")} title={t("deleteBin", { bin: bin.bin_code })} act={remove} isDangerous />
    </>
  );
}
