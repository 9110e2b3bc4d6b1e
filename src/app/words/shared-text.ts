import { queryPart } from '../../../runtime/core/text/query.ts'

/** What other apps hand over (the manifest's `share_target`). */
const PARTS = ['title', 'text', 'url'] as const
const TEXT_MOST = 3_000

/** Where what was shared with the app leads: `path` with all text as `text` and how many pictures wait as `photos`, or `lost` where none of it came; null without any of them. */
export function sharedPlace(search: string, path: string): string | null {
  const given = new URLSearchParams(search)
  const text = PARTS.map((part) => given.get(part)?.trim() ?? '')
    .filter(Boolean)
    .join('\n')
    .slice(0, TEXT_MOST)
  const photos = /^[1-9]$/.exec(given.get('photos') ?? '')?.[0]
  const said = [
    ...(text === '' ? [] : [queryPart('text', text)]),
    ...(photos ? [`photos=${photos}`] : []),
    ...(given.get('lost') === '1' ? ['lost=1'] : []),
  ]
  return said.length === 0 ? null : `${path}?${said.join('&')}`
}
