import type { Json, JsonObject } from '../json.ts'
import { defaultsOf, writtenOptions } from './effective-options.ts'
import type { NodeKey, PageNode, Widget } from './page.ts'
import { scanOptions } from './scan-options.ts'
import type { WidgetSpec } from './widget-spec.ts'

type Given = Omit<PageNode, 'options' | 'special' | 'option'>

/**
 * A node that merges its effective options on first access: on a long page most widgets are never drawn.
 */
class ParsedNode implements PageNode {
  readonly key: NodeKey
  readonly name: string
  readonly type: string
  readonly spec: WidgetSpec
  readonly widget: Widget
  readonly pointer: string
  readonly parent: NodeKey | null
  readonly children: readonly NodeKey[]
  readonly field: boolean
  readonly subForm: NodeKey | null
  readonly template: NodeKey | null
  readonly special: readonly string[]
  readonly #written: JsonObject
  #options: JsonObject | null = null

  constructor(given: Given, written: JsonObject, special: readonly string[]) {
    this.key = given.key
    this.name = given.name
    this.type = given.type
    this.spec = given.spec
    this.widget = given.widget
    this.pointer = given.pointer
    this.parent = given.parent
    this.children = given.children
    this.field = given.field
    this.subForm = given.subForm
    this.template = given.template
    this.special = special
    this.#written = written
  }

  get options(): JsonObject {
    this.#options ??= { ...defaultsOf(this.spec), ...this.#written }
    return this.#options
  }

  option(name: string): Json | undefined {
    return Object.hasOwn(this.#written, name) ? this.#written[name] : this.spec.options[name]?.default
  }
}

/** @returns the node, and whether one of its hooks holds code */
export function createNode(
  given: Given,
  version: unknown,
): { readonly node: PageNode; readonly code: boolean } {
  const written = writtenOptions(given.spec, version, given.widget)
  const { special, code } = scanOptions(given.widget.options ?? {})
  if (written === given.widget.options) return { node: new ParsedNode(given, written, special), code }
  const upgraded = new Set([...special, ...scanOptions(written).special])
  return { node: new ParsedNode(given, written, [...upgraded]), code }
}
