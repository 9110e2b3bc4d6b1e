import { type Phrase, phrase } from '../errors.ts'
import type { WidgetRegistry } from './widget-spec.ts'

/**
 * The registered type that `type` is most likely a misspelling of: at most two letters added, dropped, changed or swapped, one in
 * names of up to six letters unless `generous`. A known name with a prefix or suffix counts as a name of its own.
 */
export function nearestType(type: string, registry: WidgetRegistry, generous = false): string | null {
  const wanted = type.startsWith('m-') ? type.slice(2) : type
  let best: string | null = null
  let bestDistance = generous || wanted.length > 6 ? 2 : 1
  for (const spec of registry.list()) {
    for (const known of [spec.type, ...(spec.aliases ?? [])]) {
      if (wanted.startsWith(known) || wanted.endsWith(known)) continue
      if (Math.abs(known.length - wanted.length) > bestDistance) continue
      const distance = editDistance(wanted, known)
      if (distance > bestDistance || (distance === bestDistance && best !== null)) continue
      best = known
      bestDistance = distance
    }
  }
  return best
}

/** The entry of `known` that `name` most likely misspells, by the same measure; null if none is close. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const bound = name.length > 6 ? 2 : 1
  const candidates = known
    .map((one) => ({
      one,
      distance: Math.abs(one.length - name.length) > bound ? Infinity : editDistance(name, one),
    }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance)
  return candidates[0]?.one ?? null
}

/** Number of names a hint lists when none is close. */
const LISTED = 12

/** The hint for an unknown name: the name it most likely misspells, otherwise the names there are. */
export function nameHint(name: string, known: readonly string[]): Phrase {
  const nearest = nearestName(name, known)
  if (nearest !== null) return phrase('did you mean "{nearest}"?', { nearest })
  const some = known.slice(0, LISTED).join(', ')
  return phrase('known: {known}', { known: known.length > LISTED ? `${some} …` : some })
}

/** Letters added, dropped, changed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  const width = b.length + 1
  const rows: number[][] = [Array.from({ length: width }, (_, j) => j)]
  for (let i = 1; i <= a.length; i += 1) {
    const above = rows[i - 1] ?? []
    const row = [i]
    for (let j = 1; j < width; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const plain = Math.min((row[j - 1] ?? 0) + 1, (above[j] ?? 0) + 1, (above[j - 1] ?? 0) + same)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(plain, (rows[i - 2]?.[j - 2] ?? 0) + 1) : plain)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
