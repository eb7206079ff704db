/** Words that are written together: `listpullrequests` and `airqualityforecast` hold words that others write apart. */

const SHORTEST = 7;
const LONGEST = 40;
const SHORTEST_PART = 3;
/** What a letter that belongs to no known word costs, where a known word costs 1. */
const SKIP = 1.2;

/**
 * The known words that a compound is made of, in order: as few as cover it, at most four, and three quarters of its
 * letters. Empty where it is short, longer than 40 letters, or not so made.
 */
export function partsOf(word: string, known: { has(word: string): boolean }): string[] {
  const { length } = word;
  if (length < SHORTEST || length > LONGEST) return [];
  const cost = new Array<number>(length + 1).fill(Number.POSITIVE_INFINITY);
  const from = new Array<number>(length + 1).fill(0);
  cost[0] = 0;
  for (let start = 0; start < length; start++) {
    const base = cost[start] as number;
    if (base + SKIP < (cost[start + 1] as number)) {
      cost[start + 1] = base + SKIP;
      from[start + 1] = start;
    }
    for (let end = start + SHORTEST_PART; end <= length; end++) {
      if (end - start === length || base + 1 >= (cost[end] as number) || !known.has(word.slice(start, end))) continue;
      cost[end] = base + 1;
      from[end] = start;
    }
  }
  const parts: string[] = [];
  for (let end = length; end > 0; ) {
    const start = from[end] as number;
    if (end - start >= SHORTEST_PART) parts.unshift(word.slice(start, end));
    end = start;
  }
  const covered = parts.reduce((sum, part) => sum + part.length, 0);
  return covered >= length * 0.75 && parts.length <= 4 ? parts : [];
}
