/** Slips of the pen: a word that no tool has, one letter away from one that some have. */

/** Whether two different words are one letter put in, left out, exchanged or swapped with its neighbour apart. */
export function isSlip(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const rest = short.slice(at + 1);
  if (rest === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
