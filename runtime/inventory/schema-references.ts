/** Whether a JSON Schema refers to what it does not hold. Nothing is expanded or fetched, so a circle is no harm. */

/** Keys whose values are data: a `$ref` in there is none. */
const DATA = new Set(["const", "default", "enum", "examples"]);

/** Whether a `$ref` names another document, a place that is not there, or a name that nothing carries. */
export function hasUnresolvedReference(schema: Record<string, unknown>): boolean {
  const references = new Set<string>();
  const names = new Set<string>();
  const left: unknown[] = [schema];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (DATA.has(key) && !Array.isArray(node)) continue;
      if (typeof value !== "string") left.push(value);
      else if (key === "$ref" || key === "$dynamicRef") references.add(value);
      else if (key === "$id") names.add(value.replace(/#$/, ""));
      else if (key === "$anchor" || key === "$dynamicAnchor") names.add(`#${value}`);
    }
  }
  return [...references].some((reference) => !names.has(reference.replace(/#$/, "")) && !pointsInto(schema, reference));
}

/** Whether a JSON Pointer in a fragment (RFC 6901, section 6) names a place of the schema. */
function pointsInto(schema: unknown, reference: string): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  let at = schema;
  for (const part of reference.slice(2).split("/")) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
