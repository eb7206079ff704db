/** stdin, stdout and stderr as what they are: the platforms' stream objects take longer to make than most commands take to answer. */
import { readSync, writeSync } from "node:fs";

/** Writes all of a text to stdout (1) or stderr (2), and gives `false` where nobody reads any more. */
export function writeAll(descriptor: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      waitForOtherEnd();
    }
  }
  return true;
}

/** Reads stdin to its end, as UTF-8; a closed one is empty. Throws a `RangeError` over `maxBytes`. */
export function readAll(maxBytes: number): string {
  const parts: Buffer[] = [];
  for (let size = 0; ; ) {
    const part = Buffer.allocUnsafe(65_536);
    let read = 0;
    try {
      read = readSync(0, part, 0, part.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") {
        waitForOtherEnd();
        continue;
      }
      // Windows ends a pipe with an error; a descriptor that is closed has nothing to say.
      if (code !== "EOF" && code !== "EBADF") throw error;
    }
    if (read === 0) return Buffer.concat(parts).toString("utf8");
    size += read;
    if (size > maxBytes) throw new RangeError(`stdin holds more than ${maxBytes} bytes`);
    parts.push(part.subarray(0, read));
  }
}

/** Somebody made the pipe non-blocking, and it is full or empty now. */
function waitForOtherEnd(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
