import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOKS_NOT_RUN } from '../../runtime/core/hooks/catalogue-hooks.ts'
import { HOOKS } from '../../runtime/core/hooks/hook-names.ts'
import { CATALOGUE, REFUSED } from '../../runtime/core/hooks/script-catalogue.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { isCodeKey } from '../../runtime/core/page/has-code.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { table } from './markdown.ts'

/** Real VForm documents of public projects; they stay outside of the repository. */
export interface Corpus {
  readonly name: string
  readonly document: JsonObject
}

const registry = createRegistry()
const KNOWN = new Set(CATALOGUE.map(({ name }) => name))
/** Members of fields that are no methods of ours but of the language. */
const LANGUAGE = new Set(['hasOwnProperty', 'toString', 'valueOf'])

/** The documents of a folder by name; undefined where the folder is absent. */
export function readCorpus(folder: string): readonly Corpus[] | undefined {
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((name) => ({ name, document: JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject }))
}

/** What each document uses and what of it is not supported: facts only, no text of the documents. */
export function corpusTable(corpus: readonly Corpus[]): string {
  const rows = corpus.map(({ name, document }) => {
    const slots = codeSlots(document)
    return [
      name.replace(/\.json$/, ''),
      String(widgetTypes(document).size),
      counted(slots.map(({ hook }) => hook)),
      [...unsupported(document), ...slots.flatMap(({ hook, code }) => notHonoured(hook, code))]
        .filter((text, i, all) => all.indexOf(text) === i)
        .join('; ') || '–',
    ]
  })
  return [
    '# Real documents',
    'What the VForm documents of public projects use and what of it is not supported. Written by `npm run generate` where the',
    'documents are present (`../shared/vform/corpus`; their licences are not ours to pass on), otherwise left as it is. A test runs',
    'every hook of every document (`tests/unit/sandbox/corpus.test.ts`).',
    '',
    table(['Document', 'Widget types', 'Code', 'Not supported'], rows),
    '',
  ]
    .join('\n')
    .replace('# Real documents\n', '# Real documents\n\n')
}

export interface CodeSlot {
  readonly hook: string
  readonly code: string
}

/** Every filled code slot of a document. */
export function codeSlots(value: Json | undefined): readonly CodeSlot[] {
  if (Array.isArray(value)) return value.flatMap(codeSlots)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, part]) => {
    if (typeof part !== 'string') return codeSlots(part)
    return isCodeKey(key) && part.trim() !== '' ? [{ hook: key, code: part }] : []
  })
}

function widgetTypes(document: JsonObject): ReadonlySet<string> {
  const parsed = parsePage(document, { registry })
  return new Set(parsed.ok ? [...parsed.page.nodes.values()].map(({ widget }) => widget.type) : [])
}

function unsupported(document: JsonObject): readonly string[] {
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) return parsed.problems.map(({ code, at }) => `${code} at ${at}`)
  return [...parsed.page.nodes.values()]
    .filter(({ type }) => type === 'unsupported')
    .map(({ widget }) => `widget \`${widget.type}\`: a notice`)
}

/** What of a slot's code is refused by name, as far as its text tells. */
function notHonoured(hook: string, code: string): readonly string[] {
  if (!(hook in HOOKS) && hook !== 'functions') {
    return [`\`${hook}\` is not run: ${HOOKS_NOT_RUN[hook] ?? 'unknown'}`]
  }
  const refused = REFUSED.filter(({ owner, name }) =>
    owner === 'global'
      ? new RegExp(`(?<![.\\w$])${name}\\b(?!\\s*:)`).test(code)
      : new RegExp(`\\.${name.replace('$', '\\$')}\\b`).test(code),
  ).map(({ name, note }) => `\`${name}\`: ${note}`)
  const unknown = [...code.matchAll(/\bthis\.(\w+)\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => !KNOWN.has(name) && !LANGUAGE.has(name))
    .map((name) => `\`${name}\`: unknown method`)
  return [...refused, ...unknown]
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name}×${count}`).join(', ') || '–'
}
