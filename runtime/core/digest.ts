/**
 * SHA-256 in hexadecimal, by the Web Crypto that all runtimes have at hand: `node:crypto` takes longer to load than most of
 * what is hashed at a start.
 */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
