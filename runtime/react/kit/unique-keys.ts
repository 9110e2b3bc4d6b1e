/** The names as keys of a list: repeated ones, which a document may well have, are told apart by how often they came before. */
export function uniqueKeys(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name} ${count}`
  })
}
