/** A text split into literal parts and placeholders; a text without a placeholder has one part. */
type TemplatePart = string | Place

export interface Place {
  /** As written: `row.name`; '' if the placeholder is empty. */
  readonly path: string
  readonly filters: readonly { readonly name: string; readonly arg: string }[]
}

/** A text as parts; `unclosed`: a placeholder was opened and never closed. */
export interface Template {
  readonly parts: readonly TemplatePart[]
  readonly unclosed: boolean
}

const MAX_CACHED = 2000
const known = new Map<string, Template>()

/** Reads `{{ path | filter:arg | filter }}`; each text is read once. */
export function parseTemplate(text: string): Template {
  const cached = known.get(text)
  if (cached !== undefined) return cached
  const template = read(text)
  if (known.size >= MAX_CACHED) known.clear()
  known.set(text, template)
  return template
}

function read(text: string): Template {
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    const close = open < 0 ? -1 : text.indexOf('}}', open)
    if (close < 0) {
      if (at < text.length || parts.length === 0) parts.push(text.slice(at))
      return { parts, unclosed: open >= 0 }
    }
    if (open > at) parts.push(text.slice(at, open))
    parts.push(readPlace(text.slice(open + 2, close)))
    at = close + 2
  }
}

function readPlace(inside: string): Place {
  const [path = '', ...filters] = inside.split('|')
  return {
    path: path.trim(),
    filters: filters.map((filter) => {
      const colon = filter.indexOf(':')
      if (colon < 0) return { name: filter.trim(), arg: '' }
      return { name: filter.slice(0, colon).trim(), arg: filter.slice(colon + 1).trim() }
    }),
  }
}
