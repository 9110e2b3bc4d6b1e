import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { jsonFault, type TextPlace } from '../../../../runtime/core/page/json-fault.ts'
import { PARSE_LIMITS } from '../../../../runtime/core/page/parse-limits.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import { shownProblem } from '../text/author.ts'
import { isTooDeep } from './too-deep.ts'

/** One JSON file under `schemas/`, parsed or not. */
export interface JsonFile {
  /** From the project's root, with slashes: `schemas/pages/index.json`. */
  readonly file: string
  readonly content?: Json
  /** As written, for the positions of errors. */
  readonly text?: string
  /** Why it could not be parsed, and where. */
  readonly problem?: Problem & Partial<TextPlace>
}

/** The JSON files of a folder and its subfolders, by their names without `.json` (`customer/my/detail`). A missing folder is empty. */
export async function namesIn(schemasDir: string, folder: string): Promise<readonly string[]> {
  const root = join(schemasDir, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .map((name) => name.slice(0, -'.json'.length))
}

/** Every JSON file of a folder and its subfolders, by its name as in {@link namesIn}. */
export async function readJsonFolder(schemasDir: string, folder: string): Promise<Map<string, JsonFile>> {
  const read = (await namesIn(schemasDir, folder)).map(
    async (name): Promise<[string, JsonFile]> => [
      name,
      await readJsonFile(join(schemasDir, folder, `${name}.json`), `schemas/${folder}/${name}.json`),
    ],
  )
  return new Map(await Promise.all(read))
}

/** Reads one file; an error is returned as a problem with line and column, never as an exception. */
export async function readJsonFile(path: string, file: string): Promise<JsonFile> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null)
    return { file, problem: problem('JSON_INVALID', '', { reason: phrase('it cannot be read') }) }
  return readJsonText(text, file)
}

/** The same for a text that is not a file yet; `file` is its future path. */
export function readJsonText(text: string, file: string): JsonFile {
  try {
    const content = JSON.parse(text.replace(/^\uFEFF/, '')) as Json
    if (!isTooDeep(content)) return { file, text, content }
    const { depth: limit } = PARSE_LIMITS
    const depth = phrase('more than {limit}', { limit })
    return { file, text, problem: problem('DOCUMENT_TOO_DEEP', '', { depth, limit }) }
  } catch (error) {
    const { reason, place } = jsonFault(error, text)
    return { file, text, problem: { ...problem('JSON_INVALID', '', { reason }), ...place } }
  }
}

/** The error of a file that could not be parsed, as reported to its author; nothing for a valid one. */
export function unreadable({ file, problem: found }: JsonFile): readonly PageProblem[] {
  if (found === undefined) return []
  const { line, column } = found
  const place = line === undefined || column === undefined ? {} : { line, column }
  return [{ ...shownProblem(found), file, ...place }]
}
