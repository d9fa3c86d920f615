import { Button } from "@mantine/core";
import { Empty } from "./states.js";
import { useWarehouse } from "./warehouse.js";

/** With more of them, the field at the top is the shorter way. */
const MOST = 8;

/** In place of what one warehouse has, while all of them are looked at: a button for each. */
export function ChooseWarehouse({ title, text = "" }: { title: string; text?: string }) {
  const { warehouses, choose } = useWarehouse();
  const next =
    warehouses.length <= MOST &&
    warehouses.map(({ id, code }) => (
      <Button key={id} variant="default" onClick={() => choose(id)}>
        {code}
      </Button>
    ));
  return <Empty {...{ title, text, next }} />;
}
