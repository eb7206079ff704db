/** A shell command taken apart far enough to see which programs it runs with which options. Nothing is executed. */

/** One program call: its words without quotes, in order; a program's path is cut to its name. */
export type CallWords = string[];

/**
 * The calls of a command line. Quotes do not protect what stands in them, since `bash -c "…"`, `$(…)` and `ssh host "…"`
 * run it: a word too many is a question too many, a word too few is a loss.
 */
export function shellCalls(command: string): CallWords[] {
  return command
    .split(/[;&|()\n`{}]+|\$\(/)
    .map((part) => (part.match(/[^\s"']+/g) ?? []).map(programName))
    .filter((words) => words.length > 0);
}

/** `/bin/rm`, `\rm` → `rm`; options, references and other paths stay. */
function programName(word: string): string {
  return /^(?:\\|(?:\/\w+)*\/(?:s?bin|cmd)\/)[\w.-]+$/.test(word)
    ? word.slice(Math.max(word.lastIndexOf("/"), 0) + 1).replace(/^\\/, "")
    : word;
}

/** Whether the words of a command stand in a call in their order, and after them one of the options (none: always). */
export function callMatches(call: CallWords, command: readonly string[], options: readonly string[]): boolean {
  let at = 0;
  for (const word of command) {
    at = call.findIndex((other, index) => index >= at && isWord(other.toLowerCase(), word.toLowerCase())) + 1;
    if (at === 0) return false;
  }
  return options.length === 0 || call.some((word) => options.some((option) => hasOption(word, option)));
}

function isWord(word: string, pattern: string): boolean {
  return pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

function hasOption(word: string, option: string): boolean {
  if (option === "+ref") return /^\+\S/.test(word);
  if (option === ":ref") return /^:\S/.test(word);
  if (/^-[A-Za-z]$/.test(option)) return /^-[A-Za-z]+$/.test(word) && word.includes(option.slice(1));
  if (option.endsWith("=")) return word.startsWith(option);
  return word.toLowerCase() === option.toLowerCase() || word.toLowerCase().startsWith(`${option.toLowerCase()}=`);
}
