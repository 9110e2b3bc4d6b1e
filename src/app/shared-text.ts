/** What other apps hand over (the manifest's `share_target`). */
const PARTS = ['title', 'text', 'url'] as const
const TEXT_MOST = 1_000
const NAME_MOST = 100

/**
 * Where a text that was shared with the app leads: `path` with the longest line without numbers as `name`, which on a card is the company, and
 * all of it as `remark`; null without a text.
 */
export function sharedPlace(search: string, path: string): string | null {
  const given = new URLSearchParams(search)
  const text = PARTS.map((part) => given.get(part)?.trim() ?? '')
    .filter(Boolean)
    .join('\n')
    .slice(0, TEXT_MOST)
  const lines = text.split('\n').map((line) => line.trim())
  const words = lines.filter((line) => !/[\d@]/.test(line)).sort((a, b) => b.length - a.length)
  const name = words[0] ?? lines[0] ?? ''
  if (name === '') return null
  const query = `name=${encodeURIComponent(name.slice(0, NAME_MOST))}&remark=${encodeURIComponent(text)}`
  return `${path}?${query}`
}
