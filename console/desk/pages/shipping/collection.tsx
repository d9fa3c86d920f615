import { Button, TextInput } from "@mantine/core";
import { useParams } from "react-router";
import type { Collection as Shown, StoredManifest } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { day, time } from "../../../shared/format.js";
import { t } from "../../../texts/collections.js";
import { saidText } from "../../../texts/faults.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Printout } from "../../components/printout.js";
import { Loaded, Notice } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { useRefresh } from "../../components/use-refresh.js";
import { typed } from "../../values.js";

/** A collection: how far its manifest is, what is loaded, and what is missing. */
export default function Collection() {
  const path = { collection_id: Number(useParams().collection_id) };
  useRefresh("/api/shipping/collections/{collection_id}");
  return (
    <Loaded of={useRead("/api/shipping/collections/{collection_id}", { path })}>
      {({ collection, manifests, contents }) => (
        <Page
          title={nameOf(collection)}
          warehouse_id={collection.warehouse_id}
          mark={<Status of={collection.status} />}
          actions={<Actions collection={collection} manifests={manifests} />}
        >
          {collection.without_manifest > 0 && collection.status === "manifested" && (
            <Notice color="orange" title={t("withoutManifest", { count: collection.without_manifest })} />
          )}
          <Section title={t("manifest")}>
            <Facts
              of={[
                [t("account"), collection.account_name],
                [t("cutOff"), time(collection.cut_off_at)],
                [t("parcels"), collection.parcels],
                [t("loaded"), loadedOf(collection)],
                [t("collected"), time(collection.collected_at)],
                [t("driver"), collection.driver_name],
                [t("signature"), collection.signature],
                [t("error"), collection.last_error && saidText(collection.last_error)],
              ]}
            />
          </Section>
          <TableSection
            title={t("contents")}
            rows={contents}
            empty={t("noParcels")}
            to={({ so_id }) => `/orders/${so_id}`}
            columns={[
              { field: "so_number", title: t("order") },
              { field: "parcel_number", title: t("parcel"), as: "number" },
              {
                field: "tracking_number",
                title: t("tracking"),
                show: ({ tracking_number }) => <TrackingLink carrier={collection.carrier} number={tracking_number} />,
              },
              {
                field: "on_manifest",
                title: t("onManifest"),
                show: ({ on_manifest, manifest_number: number }) =>
                  number !== null && number > 1 ? t("manifestOf", { number }) : t(on_manifest ? "yes" : "no"),
              },
              {
                field: "loaded_at",
                title: t("loaded"),
                show: ({ loaded_at, is_shipped }) => (is_shipped ? time(loaded_at) : t("notShipped")),
              },
              { field: "left_behind_at", title: t("leftBehind"), as: "time" },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** Where nothing is scanned, how much was says nothing. */
const loadedOf = ({ scan_out, loaded, parcels }: Shown) => (scan_out ? t("ofAll", { loaded, parcels }) : undefined);

const nameOf = ({ carrier, collection_day }: Shown) => t("collection", { carrier, day: day(collection_day) });

function Actions({ collection, manifests }: { collection: Shown; manifests: StoredManifest[] }) {
  const { collection_id, warehouse_id, status, parcels, collected_at, without_manifest: count } = collection;
  const path = { collection_id };
  const name = nameOf(collection);
  const isUnderWay = collected_at === null && status !== "cancelled";
  return (
    <>
      {parcels > 0 && (
        <Printout
          label={
            manifests.length > 1 ? t("manifestOf", { number: manifests.at(-1)?.manifest_number ?? 0 }) : t("manifest")
          }
          path={`/api/shipping/collections/${collection_id}/manifest`}
          print={{ document: "manifest", record_ids: [collection_id] }}
          warehouseId={warehouse_id}
        />
      )}
      {manifests.slice(0, -1).map(({ manifest_number: number }) => (
        <Button
          key={number}
          component="a"
          variant="default"
          href={`/api/shipping/collections/${collection_id}/manifest?manifest_number=${number}`}
          target="_blank"
          rel="noreferrer"
        >
          {t("manifestOf", { number })}
        </Button>
      ))}
      {status === "manifested" && count > 0 && (
        <Decision
          label={t("closeFurther")}
          title={t("closeFurtherTitle", { name, count })}
          act={(_, api) => api.post("/api/shipping/collections/{collection_id}/close", { path })}
        />
      )}
      {(status === "open" || status === "manifest_failed") && (
        <Decision
          label={t("close")}
          title={t("closeTitle", { name })}
          act={(_, api) => api.post("/api/shipping/collections/{collection_id}/close", { path })}
        />
      )}
      {isUnderWay && (
        <Decision
          label={t("handOver")}
          title={t("handOverTitle", { name })}
          act={({ driver_name, signature }, api) =>
            api.post("/api/shipping/collections/{collection_id}/hand-over", {
              path,
              body: { driver_name: typed(driver_name), signature: typed(signature) },
            })
          }
        >
          <TextInput name="driver_name" label={t("driver")} maxLength={150} data-autofocus />
          <TextInput name="signature" label={t("signature")} maxLength={500} />
        </Decision>
      )}
    </>
  );
}
