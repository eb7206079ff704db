/**
 * Whether a text is visible ASCII and spaces, as most are: nothing in it is hidden, and the patterns that look for what is need
 * not be made. Each of them takes half a millisecond to make, which a short command would notice.
 */
export function isPlainText(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
