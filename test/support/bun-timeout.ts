/** Bun gives a test five seconds; real servers on a loaded two-core machine need the room that Deno and Node give them. */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(60_000);
