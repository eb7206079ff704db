/** The inverted lists: for each word the tools that have it, and how much it weighs in each. Flat arrays, 8 bytes an entry. */

export interface Postings {
  /** Word `id`'s entries stand from `starts[id]` to `starts[id + 1]`, tools in ascending order. */
  starts: Int32Array;
  tools: Int32Array;
  weights: Float32Array;
  /** Sum of the weights of each tool's words. */
  lengths: Float32Array;
}

export interface PostingsBuilder {
  /** Adds to a word's weight in the current tool. */
  add(word: number, weight: number): void;
  /** Ends the current tool. */
  next(): void;
  /** The lists over all tools; the builder cannot be used afterwards. `words` is the number of different words. */
  build(words: number): Postings;
}

export function createPostings(tools: number): PostingsBuilder {
  const ends = new Int32Array(tools);
  const lengths = new Float32Array(tools);
  let words = new Int32Array(1024);
  let weights = new Float32Array(1024);
  /** Where the current tool has a word: its entry, counted from 1. */
  let entryOf = new Int32Array(1024);
  let size = 0;
  let start = 0;
  let tool = 0;
  return {
    add(word, weight) {
      if (word >= entryOf.length) entryOf = grown(entryOf, word + 1);
      let entry = (entryOf[word] as number) - 1;
      // An entry of an earlier tool stands before the current one's start.
      if (entry < start) {
        if (size === words.length) {
          words = grown(words, size + 1);
          weights = grown(weights, size + 1);
        }
        entry = size++;
        words[entry] = word;
        entryOf[word] = entry + 1;
      }
      weights[entry] = (weights[entry] as number) + weight;
      lengths[tool] = (lengths[tool] as number) + weight;
    },
    next() {
      ends[tool++] = size;
      start = size;
    },
    build(count) {
      const starts = new Int32Array(count + 1);
      for (let at = 0; at < size; at++)
        starts[(words[at] as number) + 1] = (starts[(words[at] as number) + 1] as number) + 1;
      for (let word = 0; word < count; word++)
        starts[word + 1] = (starts[word + 1] as number) + (starts[word] as number);
      const place = starts.slice();
      const sorted = { tools: new Int32Array(size), weights: new Float32Array(size) };
      let at = 0;
      for (let owner = 0; owner < tools; owner++) {
        for (; at < (ends[owner] as number); at++) {
          const word = words[at] as number;
          const target = place[word] as number;
          place[word] = target + 1;
          sorted.tools[target] = owner;
          sorted.weights[target] = weights[at] as number;
        }
      }
      return { starts, lengths, ...sorted };
    },
  };
}

function grown<Kind extends Int32Array | Float32Array>(array: Kind, least: number): Kind {
  const larger = new (array.constructor as new (size: number) => Kind)(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
