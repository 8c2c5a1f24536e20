import type { Figure } from '../figures.ts';

/** How long both take for the same; ours is to be no slower. */
export function sideBySide(id: string, peer: string, own: () => unknown, theirs: () => unknown): Figure {
  const [value, peerValue] = [milliseconds(own), milliseconds(theirs)];
  return { id, value, unit: 'ms', peer, peerValue, ratio: value / peerValue, reach: 1, ok: value <= peerValue };
}

function milliseconds(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}
