const WIDTH = 140

/**
 * JSON with each value on one line if it fits.
 *
 * @param used  characters of the line outside the value: the name before it, a comma after it
 */
export function wideJson(value: unknown, indent = '', used = 0): string {
  const flat = onOneLine(value)
  const room = WIDTH - indent.length
  if (typeof value !== 'object' || value === null || flat.length + used <= room) return flat
  const inner = `${indent}  `
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return `[\n${filledLines(value.map(onOneLine), WIDTH - inner.length)
      .map((line) => inner + line)
      .join('\n')}\n${indent}]`
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + wideJson(item, inner, 1)).join(',\n')}\n${indent}]`
  const entries = Object.entries(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `
    return inner + name + wideJson(item, inner, name.length + 1)
  })
  return `{\n${entries.join(',\n')}\n${indent}}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** Items side by side, as many as fit. */
function filledLines(words: readonly string[], room: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  words.forEach((word, i) => {
    const next = i < words.length - 1 ? `${word},` : word
    if (line !== '' && line.length + 1 + next.length > room) {
      lines.push(line)
      line = next
    } else line = line === '' ? next : `${line} ${next}`
  })
  return [...lines, line]
}
