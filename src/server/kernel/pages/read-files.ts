import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import { lineAt } from './json-place.ts'

/** One JSON file under `schemas/`, read or not. */
export interface JsonFile {
  /** From the project's root, with slashes: `schemas/pages/index.json`. */
  readonly file: string
  readonly content?: Json
  /** As it is written, for the places of what is wrong in it. */
  readonly text?: string
  readonly problem?: PageProblem
}

/** Every JSON file of a folder and below, by its name without `.json` (`customer/my/detail`). A missing folder is empty. */
export async function readJsonFolder(schemasDir: string, folder: string): Promise<Map<string, JsonFile>> {
  const root = join(schemasDir, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const read = files.map(async (entry): Promise<[string, JsonFile]> => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path).split(sep).join('/').slice(0, -'.json'.length)
    return [name, await readJsonFile(path, `schemas/${folder}/${name}.json`)]
  })
  return new Map(await Promise.all(read))
}

/** Reads one file; what is wrong with it is a problem with line and column, never an exception. */
export async function readJsonFile(path: string, file: string): Promise<JsonFile> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return { file, problem: unreadable(file, 'it cannot be read') }
  try {
    return { file, text, content: JSON.parse(text.replace(/^\uFEFF/, '')) as Json }
  } catch (error) {
    return { file, text, problem: unreadable(file, String((error as Error).message), text) }
  }
}

/** Authors look for line and column; V8 gives a position, or quotes some text around the fault. */
function unreadable(file: string, words: string, text = ''): PageProblem {
  const position = positionOf(words, text)
  const place = position === null ? null : lineAt(text, position)
  const said = words.replace(/, (?:\.\.\.)?".*$/s, '').replace(/\s+/g, ' ')
  const reason = place === null ? words : `line ${place.line}, column ${place.column}: ${said}`
  const { code, message, hint } = problem('JSON_INVALID', '', { reason })
  return { code, at: '', message, hint, file, ...place }
}

function positionOf(message: string, text: string): number | null {
  const told = /at position (\d+)/.exec(message)?.[1]
  if (told !== undefined) return Number(told)
  if (message.startsWith('Unexpected end')) return text.length
  const [, token = '', quoted = ''] =
    /^Unexpected token '(.+?)', (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? []
  const start = text.indexOf(quoted)
  if (quoted === '' || start < 0) return null
  // V8 quotes ten characters on either side of the fault.
  const from = message.includes('..."') ? 10 : 0
  const at = quoted.indexOf(token, from)
  return at < 0 ? null : start + at
}
