/** Writes docs/handlers.md, the reference page of all handlers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { referencePage } from "../runtime/handler-reference.ts";
import { loadPack } from "../runtime/pack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pack = await loadPack(`${root}skills`);
mkdirSync(`${root}docs`, { recursive: true });
writeFileSync(`${root}docs/handlers.md`, referencePage(pack));
