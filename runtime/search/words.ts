/** Text as the words a search works with: split at case changes and signs, lower case, inflections taken off. */

const STOP = new Set(
  "a an and are as at be by can do for from get has have how i if in into is it its me my of on or our please so that the their them then there these this to use using was we what when where which who will with you your".split(
    " ",
  ),
);

/** The words of a text, in order; stop words and what is no word are left out. At most `limit` words are read. */
export function searchWords(text: string, limit = 4000): string[] {
  const words: string[] = [];
  for (const match of text
    .slice(0, limit * 12)
    .matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f\s\p{P}\p{S}]+/gu)) {
    const word = match[0].toLowerCase();
    if (STOP.has(word)) continue;
    words.push(stem(word));
    if (words.length >= limit) break;
  }
  return words;
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
