import { placeOf, readLoosely, type TextNode } from '../../../runtime/core/edit/json-place.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import schema from '../../../schemas/page.schema.json'

/** The kind of text: a whole page, or one part of it. */
export type Root = 'page' | 'widget' | 'source'

/** A position in a text, according to the schema of pages. */
export interface SchemaPlace {
  /** The position is the name of a key, otherwise a value. */
  readonly isKey: boolean
  readonly path: readonly (string | number)[]
  /** The schemas of the value there; for a key, of the enclosing object. */
  readonly schemas: readonly JsonObject[]
  /** The enclosing object. */
  readonly holder: TextNode | undefined
}

const DEFS = schema.$defs as unknown as Readonly<Record<string, Json>>

/** @returns null in white space and where the schema says nothing */
export function placeIn(text: string, offset: number, root: Root): SchemaPlace {
  const { path, isKey } = placeOf(text, offset)
  const steps = isKey ? path.slice(0, -1) : path
  let schemas: readonly Json[] = [{ $ref: `#/$defs/${root}` }]
  let node = readLoosely(text)
  let holder = node
  for (const step of steps) {
    const now = node
    schemas = schemas.flatMap((one) => expanded(one, now)).flatMap((one) => below(one, step))
    holder = node
    node = childOf(node, step)
    if (schemas.length === 0) schemas = byLooks(node)
  }
  const endNode = node
  return {
    isKey,
    path,
    schemas: schemas.flatMap((one) => expanded(one, endNode)),
    holder: isKey ? node : holder,
  }
}

/** Parameters of a shared part are recognised by their content. */
function byLooks(node: TextNode | undefined): readonly Json[] {
  const keys = keysIn(node)
  if (keys.has('do')) return [{ $ref: '#/$defs/action' }]
  return ['type', 'fragment', 'field', 'card'].some((key) => keys.has(key))
    ? [{ $ref: '#/$defs/widget' }]
    : []
}

/** The schemas for a key of an object. */
export const schemasOfKey = (schemas: readonly JsonObject[], key: string): readonly JsonObject[] =>
  schemas.flatMap((one) => below(one, key)).flatMap((one) => expanded(one, undefined))

/** The possible keys of an object. */
export const keysIn = (node: TextNode | undefined): ReadonlySet<string> =>
  new Set(
    (node?.type === 'object' ? (node.children ?? []) : []).map(({ children }) =>
      String(children?.[0]?.value),
    ),
  )

/** The text at a key of an object; '' for none. */
export function textIn(node: TextNode | undefined, key: string): string {
  const value = childOf(node, key)?.value
  return typeof value === 'string' ? value : ''
}

function childOf(node: TextNode | undefined, step: string | number): TextNode | undefined {
  if (node?.type === 'array') return node.children?.[Number(step)]
  return node?.children?.findLast(({ children }) => children?.[0]?.value === String(step))?.children?.[1]
}

/** The schema with its references resolved, as far as the value decides which apply. */
function expanded(one: Json, node: TextNode | undefined, depth = 0): readonly JsonObject[] {
  if (!isObject(one) || depth > 40) return []
  const more = (other: Json | undefined): readonly JsonObject[] =>
    other === undefined ? [] : expanded(other, node, depth + 1)
  const list = (name: string): readonly Json[] => {
    const found = one[name]
    return Array.isArray(found) ? found : []
  }
  const { $ref, if: condition } = one
  return [
    one,
    ...(typeof $ref === 'string' ? more(DEFS[$ref.replace('#/$defs/', '')]) : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => list(name).flatMap(more)),
    ...(condition === undefined ? [] : more(isMet(condition, node) ? one.then : one.else)),
  ]
}

function below({ properties, patternProperties, items }: JsonObject, step: string | number): readonly Json[] {
  if (typeof step === 'number') return items === undefined ? [] : [items]
  const byName = isObject(properties) && Object.hasOwn(properties, step) ? [properties[step] ?? null] : []
  const byPattern = isObject(patternProperties)
    ? Object.entries(patternProperties).flatMap(([pattern, value]) =>
        new RegExp(pattern).test(step) && value !== undefined ? [value] : [],
      )
    : []
  return [...byName, ...byPattern]
}

/** Evaluates the conditions used in the schema: the keys of an object, and the words in it. */
function isMet(condition: Json, node: TextNode | undefined): boolean {
  if (!isObject(condition)) return condition === true
  const { type, required, properties, anyOf } = condition
  if (typeof type === 'string' && node !== undefined && node.type !== type) return false
  const keys = keysIn(node)
  if (Array.isArray(required) && !required.every((key) => keys.has(String(key)))) return false
  if (Array.isArray(anyOf) && !anyOf.some((one: Json) => isMet(one, node))) return false
  if (!isObject(properties)) return true
  return Object.entries(properties).every(([key, property]) => {
    const child = childOf(node, key)
    if (!isObject(property) || child === undefined) return false
    const { enum: words } = property
    return Array.isArray(words) ? words.includes(child.value as Json) : isMet(property, child)
  })
}
