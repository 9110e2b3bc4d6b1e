import type { KindName } from '../description.ts'
import type { Kind } from '../kind.ts'
import { choice, choices, flag } from './choice.ts'
import { email, phone, url } from './contact.ts'
import { autoNumber, formula, rollup } from './derived.ts'
import { files, pictures } from './files.ts'
import { linesKind } from './lines.ts'
import { integer, money, number, percent } from './number.ts'
import { location, region } from './place.ts'
import { dept, ref, refs, user, users } from './reference.ts'
import { longText, text, texts } from './text.ts'
import { day, moment } from './time.ts'

/** All kinds of fields, grouped as they are offered to somebody who adds one. */
export const KIND_GROUPS = {
  words: [text, longText, texts, phone, email, url],
  numbers: [number, integer, money, percent, autoNumber],
  time: [day, moment],
  choices: [choice, choices, flag],
  people: [user, users, dept],
  records: [ref, refs],
  places: [region, location],
  files: [files, pictures],
  derived: [formula, rollup],
  rows: [linesKind((name) => kindOf(name))],
} as const satisfies Readonly<Record<string, readonly Kind[]>>

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.values(KIND_GROUPS)
    .flat()
    .map((kind: Kind) => [kind.name, kind]),
)

/** @throws TypeError for a name that {@link isKindName} does not know */
export function kindOf(name: KindName): Kind {
  const kind = KINDS.get(name)
  if (kind === undefined) throw new TypeError(`no kind of field is called ${name}`)
  return kind
}

export function isKindName(name: unknown): name is KindName {
  return typeof name === 'string' && KINDS.has(name)
}

export const KIND_NAMES: readonly KindName[] = [...KINDS.values()].map((kind) => kind.name)
