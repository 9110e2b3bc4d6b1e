import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import type { Ports } from '../../../runtime/core/ports.ts'
import { unpacked } from './link.ts'

/** A page to start with. */
export interface Sample {
  readonly label: string
  readonly path: string
}

/** The state of a playground: its origin, its initial text, and the text as left on this device. */
export interface Played {
  /** Its key on this device. */
  readonly from: string
  readonly original: string
  readonly text: string
}

/** The origin of a page: a shared link, otherwise a page of the manual. */
export interface Start {
  readonly link: string
  readonly path: string
}

type Parts = Pick<Ports, 'http' | 'storage'>

export const samplesIn = (written: Json | undefined): readonly Sample[] =>
  (Array.isArray(written) ? written : []).flatMap((one: Json) =>
    isObject(one) && typeof one.path === 'string'
      ? [{ path: one.path, label: String(one.label ?? one.path) }]
      : [],
  )

/** The page to play with; null for an invalid link, or a missing page. */
export async function startToPlay({ link, path }: Start, ports: Parts): Promise<Played | null> {
  const original = link === '' ? await pageText(path, ports) : await unpacked(link)
  if (original === null) return null
  const from = link === '' ? path : `link:${link}`
  const saved = ownValue(await ports.storage.get(STORAGE_KEY), from)
  return { from, original, text: typeof saved === 'string' ? saved : original }
}

/** Stores the typed text for a reload; only the most recent ones are kept. */
export async function saveTyped({ from, original, text }: Played, { storage }: Parts): Promise<void> {
  const stored = await storage.get(STORAGE_KEY)
  const others = Object.entries(isObject(stored) ? stored : {}).filter(([name]) => name !== from)
  const all = text === original ? others : [...others, [from, text] as const]
  await storage.set(STORAGE_KEY, Object.fromEntries(all.slice(-MAX_SAVED)))
}

const STORAGE_KEY = 'playground'
const MAX_SAVED = 10

/** The page as served without a session. */
async function pageText(path: string, { http }: Parts): Promise<string | null> {
  const url = `/engine/web/page/detail?path=${encodeURIComponent(path)}`
  const answer = await http.send({ method: 'GET', url })
  return answer.ok ? JSON.stringify(answer.value.data, null, 2) : null
}
