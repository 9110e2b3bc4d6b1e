/** Row counts by table, one line each. */
export function rowsSummary(rows: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(rows)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([table, count]) => `  ${table.padEnd(24)} ${count}`)
}
