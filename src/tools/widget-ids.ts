import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyTextEdits, rangeAt, type TextEdit } from '../../runtime/core/edit/edit-text.ts'
import type { Path } from '../../runtime/core/edit/patch.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { namesIn } from '../server/kernel/pages/read-files.ts'

/** A widget as written in a page or fragment. */
export interface WrittenWidget {
  readonly path: Path
  readonly written: JsonObject
}

/** Every widget of a page or fragment, including those inside includes and conditions. */
export function widgetsOf(json: Json, path: Path = []): readonly WrittenWidget[] {
  if (Array.isArray(json)) return json.flatMap((one: Json, at) => widgetsOf(one, [...path, at]))
  if (!isObject(json)) return []
  const inner = Object.entries(json).flatMap(([key, value]) =>
    value === undefined ? [] : widgetsOf(value, [...path, key]),
  )
  return isWidget(json) ? [{ path, written: json }, ...inner] : inner
}

/** A reference to a field is named by its target. */
const isWidget = ({ type, field, options, widgetList }: JsonObject): boolean =>
  typeof type === 'string' && field === undefined && (isObject(options) || Array.isArray(widgetList))

/**
 * Adds an id to each widget without one in the text of a page or fragment. An id never changes: it identifies the widget after it was renamed or
 * moved, so that a tenant's changes to it survive an update of the product. It is the type and five digits, as VForm's designer writes them.
 * @param file   path of the text, relative to `schemas/`
 * @param usedIds  ids of all pages and fragments; new ones are added
 */
export function withIds(file: string, text: string, usedIds: Set<string>): string {
  const edits = widgetsOf(JSON.parse(text)).flatMap(({ path, written }): TextEdit[] => {
    if (typeof written.id === 'string') return []
    const { to } = rangeAt(text, [...path, 'type'])
    const id = freeId(String(written.type), `${file} ${path.join('/')}`, usedIds)
    return [{ offset: to, length: 0, content: `,${gapBefore(text, to)}"id": "${id}"` }]
  })
  return applyTextEdits(
    text,
    edits.toSorted((a, b) => b.offset - a.offset),
  )
}

/** The whitespace before an inserted key: a line break if the keys have one. */
function gapBefore(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset)
  const isAlone = /^\s*"type"/.test(line) && /^,?\s*\n/.test(text.slice(offset))
  return isAlone ? `\n${/^\s*/.exec(line)?.[0] ?? ''}` : ' '
}

function freeId(type: string, place: string, usedIds: Set<string>): string {
  for (let n = 0; ; n += 1) {
    const digits = createHash('sha256').update(`${place} ${n}`).digest().readUInt32BE() % 100_000
    const id = `${type}${String(digits).padStart(5, '0')}`
    if (usedIds.has(id)) continue
    usedIds.add(id)
    return id
  }
}

/** Assigns ids to the widgets of the product's pages and fragments. @returns the changed files, relative to `schemas/` */
export async function giveIds(schemasDir: string): Promise<readonly string[]> {
  const files = await pageTexts(schemasDir)
  const usedIds = new Set([...files.values()].flatMap((text) => idsOf(text)))
  const changed: string[] = []
  for (const [file, text] of files) {
    const given = withIds(file, text, usedIds)
    if (given === text) continue
    await writeFile(join(schemasDir, file), given)
    changed.push(file)
  }
  return changed
}

/** The texts of all pages and fragments, by their path in `schemas/`. */
export async function pageTexts(schemasDir: string): Promise<ReadonlyMap<string, string>> {
  const folders = ['pages', 'fragments']
  const read = folders.map(async (folder) =>
    (await namesIn(schemasDir, folder))
      .toSorted()
      .map((name): [string, string] => [
        `${folder}/${name}.json`,
        readFileSync(join(schemasDir, folder, `${name}.json`), 'utf8'),
      ]),
  )
  return new Map((await Promise.all(read)).flat())
}

/** The ids of the widgets that have one. */
export const idsOf = (text: string): readonly string[] =>
  widgetsOf(JSON.parse(text)).flatMap(({ written: { id } }) => (typeof id === 'string' ? [id] : []))
