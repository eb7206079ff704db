/** An option that is a count. */
import { PackError, printable } from "../core/errors.ts";

/** A whole number from `least` up, or `undefined` where the option is not given. Throws `usage`. */
export function countOption(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d{1,6}$/.test(value) ? Number(value) : -1;
  if (count >= least) return count;
  throw new PackError("usage", `--${name} is "${printable(value, 40)}"`, {
    fix: `Give a whole number from ${least} up`,
  });
}
