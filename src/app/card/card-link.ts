import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'

const SOURCE = /^local:\/card\/(read|keep|kept|photos)$/

/**
 * Business cards as data sources of pages: `read` parses a text, `keep` stores a confirmed card for the form that is opened next, `kept` returns it,
 * `photos` returns the pictures another app shared, once, and the number of those the device cannot read.
 */
export interface CardLink {
  /** Null for any other address. */
  answer(request: Pick<HttpRequest, 'url' | 'body'>): Promise<Outcome<HttpResponse>> | null
}

/** @param owner  the user a card belongs to: on a shared device nobody else gets it */
export function linkCards(owner: () => string): CardLink {
  let savedCard: { readonly of: string; readonly record: JsonObject } | null = null
  return {
    answer({ url, body }) {
      const [, operation] = SOURCE.exec(url) ?? []
      if (operation === undefined) return null
      const fields = isObject(body) ? body : {}
      if (operation === 'read') return read(fields.text)
      if (operation === 'photos') return photos()
      if (operation === 'keep') savedCard = { of: owner(), record: filledIn(fields) }
      return answerOf({ record: savedCard?.of === owner() ? savedCard.record : {} })
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

/** Without empty values, for which a form keeps its defaults. */
function filledIn(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : (value ?? null),
  ])
  return Object.fromEntries(
    entries.filter(
      ([, value]) => value !== '' && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as JsonObject
}
