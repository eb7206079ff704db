/** A delegation: the message by which an orchestrator hands a research task to an agent. */

/** The fields that a delegation must carry, each on a line of its own as `Field: value`. */
export const DELEGATION_FIELDS = ["Session", "Run path", "Task", "Request", "Context", "iteration_count"] as const;
export type DelegationField = (typeof DELEGATION_FIELDS)[number];

export interface Delegation {
  fields: Partial<Record<DelegationField, string>>;
  /** Fields that are absent, empty, or no whole number from 1 in the case of `iteration_count`. */
  missing: DelegationField[];
}

/**
 * Reads a delegation. A field may stand in a list or in bold, and its value may go on over the following lines up to the
 * next field. Case does not matter; where a field stands twice, the first counts.
 */
export function readDelegation(text: string): Delegation {
  const values = new Map<DelegationField, string[]>();
  let open: string[] = [];
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const match = /^[ \t]*(?:[-*+][ \t]+)?[*_`]{0,3}([A-Za-z_]+(?: [A-Za-z]+)?)[*_`]{0,3}:[*_`]{0,3}(.*)$/.exec(line);
    const field = DELEGATION_FIELDS.find((name) => name.toLowerCase() === match?.[1]?.toLowerCase());
    if (field === undefined) open.push(line);
    else {
      open = [match?.[2] ?? ""];
      if (!values.has(field)) values.set(field, open);
    }
  }
  const fields: Delegation["fields"] = {};
  for (const [field, lines] of values) {
    const value = lines.join("\n").trim();
    if (value !== "" && (field !== "iteration_count" || /^[1-9][0-9]{0,8}$/.test(value))) fields[field] = value;
  }
  return { fields, missing: DELEGATION_FIELDS.filter((field) => fields[field] === undefined) };
}
