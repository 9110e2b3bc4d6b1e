/** Unique keys for a list of names: repeated names get a counter. */
export function uniqueKeys(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name} ${count}`
  })
}
