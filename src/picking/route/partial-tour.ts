/**
 * What later aisles must know of the part of a tour in the aisles so far: for each crossing of the last of them, how
 * many steps end there (none, an odd or an even number), and which crossings hang together. A crossing is 0 if the tour
 * does not touch it, else 2 × its part, + 1 where the number is odd; parts are numbered from the front. These are the
 * equivalence classes of Ratliff and Rosenthal, for any number of cross aisles.
 */
export type Frontier = readonly number[];

const isOdd = (crossing: number) => crossing % 2 === 1;
const partOf = (crossing: number) => crossing >> 1;

/** Each frontier is one object, so that they are compared as such; with few cross aisles there are few of them. */
const frontiers = new Map<string, Frontier>();

/** The frontier with its parts numbered from the front. */
function frontierOf(crossings: number[]): Frontier {
  const parts: number[] = [];
  const numbered = crossings.map((crossing) => {
    if (crossing === 0) return 0;
    const part = partOf(crossing);
    if (!parts.includes(part)) parts.push(part);
    return 2 * (parts.indexOf(part) + 1) + (crossing % 2);
  });
  const key = numbered.join();
  const known = frontiers.get(key) ?? numbered;
  frontiers.set(key, known);
  return known;
}

/** No tour so far. */
export const untouched = (crossAisles: number): Frontier => frontierOf(Array<number>(crossAisles).fill(0));

/** Remembers what follows a frontier: thousands of steps of a plan are the same few. */
function remembered<T>(follow: (frontier: Frontier, which: number) => T): (frontier: Frontier, which: number) => T {
  const known = new Map<Frontier, T[]>();
  return (frontier, which) => {
    const results = known.get(frontier) ?? [];
    const result = results[which] ?? follow(frontier, which);
    results[which] = result;
    known.set(frontier, results);
    return result;
  };
}

/** Comes by a crossing and leaves it again, such as into an aisle and back. */
export const touch = remembered((frontier, at) =>
  frontier[at] === 0 ? frontierOf(frontier.with(at, 2 * frontier.length + 2)) : frontier,
);

/** Walks between a crossing and the next one of its aisle once. */
export const joinOnce = remembered((frontier, at) => joined(frontier, at, 1));

/** Walks between a crossing and the next one of its aisle there and back. */
export const joinTwice = remembered((frontier, at) => joined(frontier, at, 2));

function joined(frontier: Frontier, at: number, times: number): Frontier {
  const touched = touch(touch(frontier, at), at + 1);
  const [part, other] = [partOf(touched[at] as number), partOf(touched[at + 1] as number)];
  return frontierOf(
    touched.map((crossing, i) => {
      const odd = times === 1 && (i === at || i === at + 1) ? !isOdd(crossing) : isOdd(crossing);
      return crossing && 2 * (partOf(crossing) === other ? part : partOf(crossing)) + Number(odd);
    }),
  );
}

/**
 * How often each cross aisle may be walked to the next aisle, and the frontier there. After it each crossing has an
 * even number of steps, and no part is left behind.
 */
export const onward = remembered((frontier) => {
  const evens = frontier.flatMap((crossing, i) => (crossing !== 0 && !isOdd(crossing) ? [i] : []));
  const parts = new Set(frontier.filter(Boolean).map(partOf));
  const ways = Array.from({ length: 2 ** evens.length }, (_, choice) =>
    frontier.map((crossing, i) => (isOdd(crossing) ? 1 : crossing && (choice >> evens.indexOf(i)) & 1 ? 2 : 0)),
  );
  return ways.flatMap((times) => {
    const left = frontier.map((crossing, i) => (times[i] === 0 ? 0 : crossing));
    const goesOn = new Set(left.filter(Boolean).map(partOf)).size === parts.size;
    return goesOn ? [{ times, frontier: frontierOf(left) }] : [];
  });
});

/** Whether it is a whole tour: in one part, which each crossing is left as often as it is come to. */
export const isTour = (frontier: Frontier) => frontier.every((crossing) => crossing === 0 || crossing === 2);
