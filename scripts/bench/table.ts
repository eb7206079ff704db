import Table from "cli-table3";

/** Rows as a table, with the keys of the first as its head. */
export function tableOf(rows: readonly Record<string, string | number>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const table = new Table({ head: columns, style: { head: [], border: [] } });
  for (const row of rows) table.push(columns.map((column) => row[column] ?? ""));
  return table.toString();
}
