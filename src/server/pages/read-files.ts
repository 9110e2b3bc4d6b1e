import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { problem } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { PageProblem } from '../../contract/pages.ts'

/** One JSON file under `schemas/`, read or not. */
export interface JsonFile {
  /** From the project's root, with slashes: `schemas/pages/index.json`. */
  readonly file: string
  readonly content?: Json
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
  const text = await readFile(path, 'utf8').catch((error: Error) => error)
  if (text instanceof Error) return { file, problem: unreadable(file, text.message) }
  try {
    return { file, content: JSON.parse(text) as Json }
  } catch (error) {
    return { file, problem: unreadable(file, placeOf(String((error as Error).message), text)) }
  }
}

function unreadable(file: string, reason: string): PageProblem {
  const { code, message, hint } = problem('JSON_INVALID', '', { reason })
  return { code, at: '', message, hint, file }
}

/** V8 gives a position, or quotes some text around the fault; authors look for line and column. */
function placeOf(message: string, text: string): string {
  if (message.includes('line ')) return message
  const position = positionOf(message, text)
  if (position === null) return message
  const before = text.slice(0, position).split('\n')
  return `${message.replace(/, (?:\.\.\.)?".*$/s, '')} (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`
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
