/** Ranking by meaning: vectors of an embedder that the caller plugs in, compared by their angle. */
import type { Tool } from "../core/contracts.ts";
import { describeError, PackError } from "../core/errors.ts";

/** Gives a vector for each text, in order. All vectors have one length. */
export type Embed = (texts: string[]) => Promise<number[][]>;

export interface MeaningState {
  /** `none`: no embedder. `pending`: the tools' vectors are being made. */
  state: "none" | "pending" | "ready" | "failed";
  /** Why the vectors failed, or, where they are there, why the last request's did. */
  problem?: PackError;
}

export interface Meaning {
  state(): MeaningState;
  ready: Promise<void>;
  /** Each tool's similarity to the text, from -1 to 1; `null` where there are no vectors to compare. Never rejects. */
  similarities(text: string): Promise<Float32Array | null>;
}

/** How much the nearest meaning counts beside the best match of words, which counts 1. */
const MEANING = 2;
/** As many texts at once go to the embedder. */
const BATCH = 64;
/** Models read no more than some hundred words, and a tool's first sentences say what it does. */
const TEXT_LENGTH = 300;

/** Begins to make the tools' vectors at once, in the background. */
export function createMeaning(tools: readonly Tool[], embed: Embed | undefined): Meaning {
  if (embed === undefined) {
    return { state: () => ({ state: "none" }), ready: Promise.resolve(), similarities: async () => null };
  }
  let vectors: Float32Array[] = [];
  let state: MeaningState = { state: "pending" };
  const make = async () => {
    const made: Float32Array[] = [];
    for (let at = 0; at < tools.length; at += BATCH) {
      const texts = tools.slice(at, at + BATCH).map(textOf);
      made.push(...(await vectorsOf(texts, embed, made[0]?.length)));
    }
    vectors = made;
  };
  const ready = make().then(
    () => {
      state = { state: "ready" };
    },
    (error: unknown) => {
      state = { state: "failed", problem: asProblem(error) };
    },
  );
  return {
    state: () => state,
    ready,
    async similarities(text) {
      if (state.state !== "ready" || vectors.length === 0) return null;
      try {
        const [asked] = await vectorsOf([text], embed, vectors[0]?.length);
        state = { state: "ready" };
        return Float32Array.from(vectors, (vector) => product(vector, asked as Float32Array));
      } catch (error) {
        state = { state: "ready", problem: asProblem(error) };
        return null;
      }
    },
  };
}

/** The scores of words and of meaning, each scaled to its best, added. Scores are fused, not ranks, so a clear lead stays one. */
export function fuse(words: ArrayLike<number>, similarities: Float32Array): Float64Array {
  const best = Array.from(words).reduce((most, score) => Math.max(most, score), 0) || 1;
  const most = similarities.reduce((most, value) => Math.max(most, value), -1);
  const least = similarities.reduce((least, value) => Math.min(least, value), 1);
  const range = most - least || 1;
  return Float64Array.from(
    similarities,
    (value, at) => (words[at] as number) / best + (MEANING * (value - least)) / range,
  );
}

function textOf({ name, title, description = "" }: Tool): string {
  const said = (title ?? name).replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[^\p{L}\p{N}]+/gu, " ");
  return `${said}: ${description.slice(0, TEXT_LENGTH)}`;
}

/** Throws `bad-vectors` where the embedder gives something else than one vector of finite numbers for each text. */
async function vectorsOf(texts: string[], embed: Embed, length: number | undefined): Promise<Float32Array[]> {
  const made: unknown = await embed(texts);
  const fits = (vector: unknown): vector is number[] =>
    Array.isArray(vector) && vector.length > 0 && vector.every((value) => Number.isFinite(value));
  if (!Array.isArray(made) || made.length !== texts.length || !made.every(fits)) {
    throw new PackError("bad-vectors", "The embedder gave no vector of numbers for each text", {
      fix: "Let it give one array of finite numbers for each text, in order",
    });
  }
  const wanted = length ?? (made[0] as number[]).length;
  if (made.some((vector) => vector.length !== wanted)) {
    throw new PackError("bad-vectors", "The embedder's vectors differ in length", {
      fix: "Use one model for all texts",
    });
  }
  return made.map(normalised);
}

function normalised(vector: number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return sum;
}

function asProblem(error: unknown): PackError {
  if (error instanceof PackError) return error;
  return new PackError("embed-failed", `The embedder failed: ${describeError(error)}`, {
    fix: "Searches go by words until it works",
    cause: error,
  });
}
