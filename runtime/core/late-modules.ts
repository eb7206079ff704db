/**
 * Modules of the platform that a synchronous function needs now and then, loaded when they are first used: loaded at the
 * top, they are a part of every start (on Bun `node:crypto` some 7 ms, `node:child_process` 4, `node:os` and `node:url` 3).
 */
import { createRequire } from "node:module";

const load = (name: string) => createRequire(import.meta.url)(name);

export function nodeCrypto(): typeof import("node:crypto") {
  return load("node:crypto");
}

export function nodeOs(): typeof import("node:os") {
  return load("node:os");
}

export function nodeUrl(): typeof import("node:url") {
  return load("node:url");
}

export function childProcess(): typeof import("node:child_process") {
  return load("node:child_process");
}
