import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** A list of which only the rows near what is seen are drawn, in blocks of a size. */
export interface Windowed {
  /** What is listed, in which order: another one begins at the top. */
  list: string;
  size: number;
  /** The block to begin with. */
  first: number;
  /** Told which blocks are drawn, and which of them is the first that is seen. */
  drawn?: (blocks: Drawn) => void;
}

export interface Drawn {
  from: number;
  to: number;
  seen: number;
}

/** So far beyond the edge of what is seen rows are drawn. */
const NEAR_PX = 800;
/** How high a row is as long as none was measured. */
const ROW_PX = 40;

interface RowWindow {
  box: RefObject<HTMLDivElement | null>;
  /** The blocks that are drawn. */
  blocks: number[];
  blocksInAll: number;
  /** The height of all blocks of a range. */
  roomOf: (from: number, to: number) => number;
}

/** Which blocks of so many rows are drawn, wherever the list is scrolled; those of a mere table are one block. */
export function useRowWindow(rows: number, windowed: Windowed | undefined): RowWindow {
  const { list = "", size = Math.max(rows, 1), first = 0, drawn: tell } = windowed ?? {};
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const count = Math.max(1, Math.ceil(rows / size));
  const begin = Math.min(first, count - 1);
  const [drawn, draw] = useState<Drawn>({ from: begin, to: begin, seen: begin });

  const rowsOf = (block: number) => Math.max(0, Math.min(size, rows - block * size));
  /** The heights of blocks: as they were when they were drawn, else by what rows take on average. */
  const measured = () => {
    let [high, many] = [0, 0];
    for (const [block, height] of heights.current) [high, many] = [high + height, many + rowsOf(block)];
    const rowHeight = many > 0 ? high / many : ROW_PX;
    return (block: number) => heights.current.get(block) ?? rowsOf(block) * rowHeight;
  };
  const roomOf = (from: number, to: number) => {
    const heightOf = measured();
    let room = 0;
    for (let block = from; block < to; block++) room += heightOf(block);
    return room;
  };
  const blockAt = (offset: number) => {
    const heightOf = measured();
    let block = 0;
    for (let rest = offset - heightOf(0); rest > 0 && block < count - 1; rest -= heightOf(block)) block++;
    return block;
  };

  // A link may begin anywhere: first what is there is measured, then the list is scrolled there.
  const [isPlaced, setPlaced] = useState(begin === 0);
  const told = useRef("");
  const look = useEffectEvent(() => {
    const table = box.current?.querySelector("table");
    if (!box.current || !table || !isPlaced) return;
    const { top, bottom } = box.current.getBoundingClientRect();
    const head = table.tHead?.offsetHeight ?? 0;
    const start = table.getBoundingClientRect().top + head;
    const [above, below] = [Math.max(top, 0) - start, Math.min(bottom, window.innerHeight) - start];
    const next = { from: blockAt(above - NEAR_PX), to: blockAt(below + NEAR_PX), seen: blockAt(above + head + 1) };
    const name = JSON.stringify([list, next]);
    if (told.current === name) return;
    told.current = name;
    draw(next);
    tell?.(next);
  });
  const measure = useEffectEvent(() => {
    let isNew = false;
    for (const body of box.current?.querySelectorAll<HTMLElement>("[data-block]") ?? []) {
      const block = Number(body.dataset.block);
      isNew ||= !heights.current.has(block);
      heights.current.set(block, body.offsetHeight);
    }
    return isNew;
  });

  // What came may be higher or less high than it was taken for.
  useLayoutEffect(() => {
    if (measure()) look();
  });
  const scroll = useEffectEvent(() => {
    if (begin === 0) return;
    box.current?.scrollTo({ top: roomOf(0, begin) });
    const block = box.current?.querySelector("[data-block]");
    // On a phone it is the page that scrolls.
    if (block && block.getBoundingClientRect().top > window.innerHeight) block.scrollIntoView();
  });
  useLayoutEffect(() => {
    if (isPlaced) scroll();
    else setPlaced(true);
  }, [isPlaced]);
  const shown = useRef(list);
  useLayoutEffect(() => {
    if (shown.current === list) return;
    shown.current = list;
    heights.current.clear();
    box.current?.scrollTo({ top: 0 });
  }, [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fewer or more rows move what is seen
  useEffect(() => look(), [list, rows, isPlaced]);
  const isList = windowed !== undefined;
  useEffect(() => {
    if (!isList) return;
    const scrolled = () => look();
    window.addEventListener("scroll", scrolled, { capture: true, passive: true });
    window.addEventListener("resize", scrolled);
    return () => {
      window.removeEventListener("scroll", scrolled, { capture: true });
      window.removeEventListener("resize", scrolled);
    };
  }, [isList]);

  const [from, to] = [Math.min(drawn.from, count - 1), Math.min(drawn.to, count - 1)];
  const blocks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return { box, blocks, blocksInAll: count, roomOf };
}
