/** One import of a source file, as written. */
export interface Import {
  readonly specifier: string
  /** Removed by compilation: it causes no cycle. */
  readonly typeOnly: boolean
  /** Fetched on demand: `import('…')`. */
  readonly lazy: boolean
}

/** Every import, export-from, dynamic import and `new URL('…', import.meta.url)` of a source. */
export function importsOf(source: string): Import[] {
  const code = blank(source, 'comments')
  const found: Import[] = []
  const statements =
    /^[ \t]*(import|export)\b((?:(?!^[ \t]*(?:import|export)\b)[^;'"`])*?)\bfrom\s*['"]([^'"]+)['"]/gm
  for (const [, , clause = '', specifier = ''] of code.matchAll(statements)) {
    found.push({ specifier, typeOnly: isTypeOnly(clause), lazy: false })
  }
  const others = [
    /^[ \t]*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
    /\bnew URL\(\s*['"](\.[^'"]+\.tsx?)['"]\s*,\s*import\.meta\.url/g,
  ]
  for (const pattern of others) {
    for (const [whole, specifier = ''] of code.matchAll(pattern)) {
      const typeOnly = /\btypeof\s+$/.test(code.slice(0, code.indexOf(whole)))
      found.push({ specifier, typeOnly, lazy: whole.startsWith('import(') })
    }
  }
  return found
}

/** The code alone: comments, texts and patterns are blanked out, so that a word in prose does not count as a call. */
export function codeOnly(source: string): string {
  return blank(source, 'texts')
}

/** Texts and code of a source separately: quoted texts, and the rest with texts, patterns and comments blanked out. */
export function quotedAndRest(source: string): { readonly quoted: readonly string[]; readonly rest: string } {
  const quoted = [...blank(source, 'comments').matchAll(TOKENS)].map(([token]) => token)
  return { quoted: quoted.filter((token) => /^['"`]/.test(token)), rest: blank(source, 'texts') }
}

function isTypeOnly(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]
  if (names === undefined) return false
  const parts = names.split(',').map((name) => name.trim())
  return parts.every((name) => name === '' || name.startsWith('type '))
}

const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=(?:^|[(,=:[!&|?{};+\-*%<>~^]|\breturn|\bcase|=>)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

function blank(source: string, what: 'comments' | 'texts'): string {
  return source.replace(TOKENS, (token) => {
    if (token.startsWith('//') || token.startsWith('/*')) return token.replace(/[^\n]/g, ' ')
    if (what === 'comments') return token
    if (token.startsWith('`'))
      return token.replace(/\$\{[^}]*\}|[^\n]/g, (part) => (part.startsWith('${') ? part : ' '))
    return ' '.repeat(token.length)
  })
}
