import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import type { Ports } from '../../../runtime/core/ports.ts'
import { unpacked } from './link.ts'

/** A page to begin with. */
export interface Sample {
  readonly label: string
  readonly path: string
}

/** What somebody plays with: where it came from, as it came, and as it was left here. */
export interface Played {
  /** Names it on this device. */
  readonly from: string
  readonly original: string
  readonly text: string
}

/** Where a page to play with comes from: a link that was passed on, else a page of the manual. */
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

/** What to play with; null for a link that cannot be read, or a page that is not there. */
export async function startToPlay({ link, path }: Start, ports: Parts): Promise<Played | null> {
  const original = link === '' ? await pageText(path, ports) : await unpacked(link)
  if (original === null) return null
  const from = link === '' ? path : `link:${link}`
  const kept = ownValue(await ports.storage.get(KEPT), from)
  return { from, original, text: typeof kept === 'string' ? kept : original }
}

/** Remembers what was typed, for a reload; of several the newest. */
export async function keepPlayed({ from, original, text }: Played, { storage }: Parts): Promise<void> {
  const known = await storage.get(KEPT)
  const others = Object.entries(isObject(known) ? known : {}).filter(([name]) => name !== from)
  const all = text === original ? others : [...others, [from, text] as const]
  await storage.set(KEPT, Object.fromEntries(all.slice(-MOST_KEPT)))
}

const KEPT = 'playground'
const MOST_KEPT = 10

/** The page as anybody gets it, without a session. */
async function pageText(path: string, { http }: Parts): Promise<string | null> {
  const url = `/engine/web/page/detail?path=${encodeURIComponent(path)}`
  const answer = await http.send({ method: 'GET', url })
  return answer.ok ? JSON.stringify(answer.value.data, null, 2) : null
}
