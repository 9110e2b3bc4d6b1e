import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'

const SOURCE = /^local:\/card\/(read|keep|kept|photos)$/

/**
 * What pages have of cards: `read` takes a text apart, `keep` holds what was confirmed for the form that is opened next, `kept` gives it,
 * `photos` gives the pictures another app shared, once, and how many the device cannot read.
 */
export interface CardLink {
  /** Null for any other address. */
  answer(request: Pick<HttpRequest, 'url' | 'body'>): Promise<Outcome<HttpResponse>> | null
}

/** @param owner  whose card it is: nobody else is given it on the same device */
export function linkCards(owner: () => string): CardLink {
  let kept: { readonly of: string; readonly record: JsonObject } | null = null
  return {
    answer({ url, body }) {
      const [, what] = SOURCE.exec(url) ?? []
      if (what === undefined) return null
      const given = isObject(body) ? body : {}
      if (what === 'read') return read(given.text)
      if (what === 'photos') return photos()
      if (what === 'keep') kept = { of: owner(), record: filledIn(given) }
      return answerOf({ record: kept?.of === owner() ? kept.record : {} })
    },
  }
}

async function read(text: Json | undefined): Promise<Outcome<HttpResponse>> {
  const { readCard } = await import('./read-card.ts')
  return answerOf({ ...readCard(typeof text === 'string' ? text : '') })
}

async function photos(): Promise<Outcome<HttpResponse>> {
  const { takeSharedPhotos } = await import('./shared-photos.ts')
  return answerOf({ ...(await takeSharedPhotos(Date.now())) })
}

const answerOf = async (data: JsonObject): Promise<Outcome<HttpResponse>> => ({
  ok: true,
  value: { status: 200, headers: {}, data },
})

/** Without what is empty: a form keeps its own defaults there. */
function filledIn(given: JsonObject): JsonObject {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : (value ?? null),
  ])
  return Object.fromEntries(
    entries.filter(
      ([, value]) => value !== '' && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as JsonObject
}
