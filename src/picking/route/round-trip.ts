/** A spot or a crossing of the house. */
export interface Corner {
  x: number;
  y: number;
}

/** A straight path from a corner over some others, which a tour walks once or twice. */
export interface Path {
  from: Corner;
  over: Corner[];
  times: number;
}

/**
 * The corners of a tour in the order in which one comes by them first, from the start. The paths hang together, and an
 * even number of them meets at each corner, so there is a walk over all of them that ends where it began (Hierholzer).
 */
export function roundTrip(paths: Path[], start: Corner): Corner[] {
  const corners = new Map<string, { corner: Corner; edges: Edge[] }>();
  const at = (corner: Corner) => {
    const key = `${corner.x}/${corner.y}`;
    const known = corners.get(key) ?? { corner, edges: [] };
    corners.set(key, known);
    return known;
  };
  for (const { from: first, over, times } of paths)
    over.forEach((to, i) => {
      const from = over[i - 1] ?? first;
      for (let n = 0; n < times; n++) {
        const edge = { from, to, walked: false };
        at(from).edges.push(edge);
        at(to).edges.push(edge);
      }
    });
  const circuit: Corner[] = [];
  const trail = [start];
  for (let here = trail.at(-1); here; here = trail.at(-1)) {
    const edge = unwalked(at(here).edges);
    if (edge) {
      edge.walked = true;
      trail.push(isSame(edge.from, here) ? edge.to : edge.from);
    } else circuit.push(trail.pop() as Corner);
  }
  return [...new Set(circuit.reverse().map(at))].map(({ corner }) => corner);
}

interface Edge {
  from: Corner;
  to: Corner;
  walked: boolean;
}

function unwalked(edges: Edge[]): Edge | undefined {
  while (edges.at(-1)?.walked) edges.pop();
  return edges.at(-1);
}

const isSame = (a: Corner, b: Corner) => a.x === b.x && a.y === b.y;
