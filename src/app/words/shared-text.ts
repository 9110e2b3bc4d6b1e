import { queryPart } from '../../../runtime/core/text/query.ts'

/** The fields of a share from another app (the manifest's `share_target`). */
const PARTS = ['title', 'text', 'url'] as const
const MAX_TEXT = 3_000

/**
 * The page for shared content: `path` with the whole text as `text` and the number of waiting pictures as `photos`, or `lost` if nothing arrived;
 * null if nothing was shared.
 */
export function sharedPlace(search: string, path: string): string | null {
  const shared = new URLSearchParams(search)
  const text = PARTS.map((part) => shared.get(part)?.trim() ?? '')
    .filter(Boolean)
    .join('\n')
    .slice(0, MAX_TEXT)
  const photos = /^[1-9]$/.exec(shared.get('photos') ?? '')?.[0]
  const query = [
    ...(text === '' ? [] : [queryPart('text', text)]),
    ...(photos ? [`photos=${photos}`] : []),
    ...(shared.get('lost') === '1' ? ['lost=1'] : []),
  ]
  return query.length === 0 ? null : `${path}?${query.join('&')}`
}
