/** The best few of many, without sorting the rest. */

/**
 * The `limit` numbers among `candidates` with the highest scores, best first, equal ones in ascending order. Takes
 * time in proportion to the candidates, and to the logarithm of `limit`.
 */
export function topOf(candidates: readonly number[], scores: ArrayLike<number>, limit: number): number[] {
  const isBetter = (left: number, right: number) => {
    const difference = (scores[left] as number) - (scores[right] as number);
    return difference > 0 || (difference === 0 && left < right);
  };
  const compare = (left: number, right: number) => (isBetter(left, right) ? -1 : 1);
  if (limit * 4 >= candidates.length) return [...candidates].sort(compare).slice(0, Math.max(0, limit));
  // A heap with the worst of the chosen on top.
  const heap: number[] = [];
  for (const candidate of candidates) {
    if (heap.length < limit) {
      heap.push(candidate);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBetter(heap[parent] as number, heap[at] as number)) break;
        [heap[parent], heap[at]] = [heap[at] as number, heap[parent] as number];
        at = parent;
      }
    } else if (limit > 0 && isBetter(candidate, heap[0] as number)) {
      heap[0] = candidate;
      for (let at = 0; ; ) {
        let worst = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < heap.length && isBetter(heap[worst] as number, heap[child] as number)) worst = child;
        }
        if (worst === at) break;
        [heap[worst], heap[at]] = [heap[at] as number, heap[worst] as number];
        at = worst;
      }
    }
  }
  return heap.sort(compare);
}
