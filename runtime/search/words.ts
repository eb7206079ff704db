/** Text as the words a search works with: split at case changes and signs, in lower case, inflections taken off. */

/** The most words that a synonym may have: `pull request`, and `k8s`, which a search reads as `k 8 s`. */
export const LONGEST_TERM = 3;

const STOP: ReadonlySet<string> = new Set(
  "a an and are as at be by can do for from get has have how i if in into is it its me my of on or our please so that the their them then there these this to use using was we what when where which who will with you your".split(
    " ",
  ),
);

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Nd}+|[\p{Lo}\p{Lm}\p{M}]+/gu;

/** Scripts that put no space between words. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/**
 * The words of a text in lower case, in order; stop words and what is no word are left out. A run of Chinese or Japanese
 * characters gives its pairs, since where a word ends there no sign tells. At most `limit` words are read.
 */
export function wordsOf(text: string, limit = 4000): string[] {
  const words: string[] = [];
  for (const [found] of text.slice(0, limit * 12).matchAll(WORD)) {
    const word = found.toLowerCase();
    if (UNSPACED.test(word)) for (const pair of pairsOf(word)) words.push(pair);
    else if (!STOP.has(word)) words.push(word);
    if (words.length >= limit) break;
  }
  return words;
}

function pairsOf(run: string): string[] {
  const signs = [...run];
  if (signs.length < 3) return [run];
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/**
 * Takes off English inflections, so that `issues`, `searching` and `created` meet `issue`, `search` and `create`: the
 * first two steps of Porter's algorithm, without its later cuts into the word itself.
 */
export function stem(word: string): string {
  let stemmed = word;
  if (stemmed.length > 4 && stemmed.endsWith("ies")) stemmed = `${stemmed.slice(0, -3)}y`;
  else if (stemmed.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(stemmed)) stemmed = stemmed.slice(0, -2);
  else if (stemmed.length > 3 && /[^su]s$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  if (stemmed.length > 5 && stemmed.endsWith("ing")) stemmed = undouble(stemmed.slice(0, -3));
  else if (stemmed.length > 4 && stemmed.endsWith("ed")) stemmed = undouble(stemmed.slice(0, -2));
  if (stemmed.length > 4 && stemmed.endsWith("e")) stemmed = stemmed.slice(0, -1);
  return stemmed;
}

function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
