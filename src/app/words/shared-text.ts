/** What other apps hand over (the manifest's `share_target`). */
const PARTS = ['title', 'text', 'url'] as const
const TEXT_MOST = 3_000

/** Where a text that was shared with the app leads: `path` with all of it as `text`; null without a text. */
export function sharedPlace(search: string, path: string): string | null {
  const given = new URLSearchParams(search)
  const text = PARTS.map((part) => given.get(part)?.trim() ?? '')
    .filter(Boolean)
    .join('\n')
    .slice(0, TEXT_MOST)
  return text === '' ? null : `${path}?text=${encodeURIComponent(text)}`
}
