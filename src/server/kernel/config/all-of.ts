/** How each setting is read. */
type Readers<T> = { readonly [Key in keyof T]: () => T[Key] }

/** Reads several settings and reports all errors at once. @throws Error with a sentence per line */
export function allOf<T extends object>(readers: Readers<T>): T {
  const faults: string[] = []
  const read = (Object.entries(readers) as [string, () => unknown][]).map(([name, reader]) => {
    try {
      return [name, reader()]
    } catch (error) {
      faults.push((error as Error).message)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'))
  return Object.fromEntries(read) as T
}
