/** What a person who mistyped a word probably meant. */

/**
 * The known word with the fewest edits, at most `limit` of them (default a third of the typed word's length, and two for a
 * short one), or one that starts with what was typed.
 */
export function nearest(
  typed: string,
  known: readonly string[],
  limit = Math.max(2, Math.floor(typed.length / 3)),
): string | undefined {
  // Nobody mistypes a word into a hundred letters, and comparing costs their product.
  if (typed.length > 100) return undefined;
  return known
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ distance, word }) => distance <= limit || (typed.length > 2 && word.startsWith(typed)))
    .sort((left, right) => left.distance - right.distance)[0]?.word;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let at = 0; at < left.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < right.length; to++) {
      const change = (row[to] ?? 0) + (left[at] === right[to] ? 0 : 1);
      next.push(Math.min(change, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
