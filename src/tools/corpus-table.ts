import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeSlots, type NotSupported, notSupportedIn } from '../../runtime/core/check/not-supported.ts'
import { formatPhrase } from '../../runtime/core/errors.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { table } from './markdown.ts'

/** Real VForm documents of public projects; they are not part of the repository. */
export interface Corpus {
  readonly name: string
  readonly document: JsonObject
}

const registry = createRegistry()

/** The documents of a folder by name; undefined if the folder is absent. */
export function readCorpus(folder: string): readonly Corpus[] | undefined {
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((name) => ({ name, document: JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject }))
}

/** The features that each document uses, and those that are not supported: only facts, no text of the documents. */
export function corpusTable(corpus: readonly Corpus[]): string {
  const rows = corpus.map(({ name, document }) => {
    const slots = codeSlots(document)
    return [
      name.replace(/\.json$/, ''),
      String(widgetTypes(document).size),
      counted(slots.map(({ hook }) => hook)),
      unsupported(document).join('; ') || '–',
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

function widgetTypes(document: JsonObject): ReadonlySet<string> {
  const parsed = parsePage(document, { registry })
  return new Set(parsed.ok ? [...parsed.page.nodes.values()].map(({ widget }) => widget.type) : [])
}

function unsupported(document: JsonObject): readonly string[] {
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) return parsed.problems.map(({ code, at }) => `${code} at ${at}`)
  return notSupportedIn(document, registry).map(sentence)
}

function sentence({ kind, name, instead }: NotSupported): string {
  const subject = `${kind === 'widget' ? 'widget ' : ''}\`${name}\`${kind === 'hook' ? ' is not run' : ''}`
  return `${subject}: ${formatPhrase(instead)}`
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name}×${count}`).join(', ') || '–'
}
