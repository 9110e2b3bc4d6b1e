import type { Json } from '../json.ts'
import { dependenciesOf } from '../logic/rule.ts'
import { isCodeKey } from '../page/has-code.ts'
import type { DataSource, NodeKey, Page, PageNode } from '../page/page.ts'
import { fieldRules } from '../rules/rule-list.ts'
import { pathsOf } from '../text/template.ts'

/** Inputs besides the values that decide whether a page's fields are valid. */
export interface CheckReads {
  /** By name below `data`: the paths that rules of fields read there, and the inputs of the sources for them. */
  readonly data: ReadonlyMap<string, ReadonlySet<string>>
  /** Paths of the page's parameters that they read. */
  readonly params: ReadonlySet<string>
  /** Rules of fields read dictionaries. */
  readonly dict: boolean
  /** Code of the page may show, hide and require fields while it is open. */
  readonly code: boolean
}

/** Options of a field's rules in which a text with places may stand. */
const BOUNDS = ['min', 'max', 'minLength', 'maxLength', 'validation', 'customRule'] as const
/** Hooks that only judge: they return a result and have no other effect. */
const JUDGING: ReadonlySet<string> = new Set(['onValidate', 'onFormValidate'])

const known = new WeakMap<Page, CheckReads>()

/** Found in the page's rules, once per page. Rules that only affect the display (labels, groups that open, other widgets) are left out. */
export function checkReads(page: Page): CheckReads {
  const found = known.get(page) ?? read(page)
  known.set(page, found)
  return found
}

function read(page: Page): CheckReads {
  const paths = new Set<string>()
  for (const node of page.nodes.values()) {
    if (!node.field || node.template !== null) continue
    addRule(node, 'valueOn', paths)
    addRule(node, 'defaultOn', paths)
    const groups = groupsAbove(page, node)
    if (!isChecked(node, groups)) continue
    for (const key of [node, ...groups]) addRule(key, 'requiredOn', paths)
    for (const option of BOUNDS) addPlaces(node.option(option), paths)
    for (let at: PageNode | undefined = node; at; at = parentOf(page, at.parent))
      addRule(at, 'visibleOn', paths)
  }
  const data = new Map<string, Set<string>>()
  const params = new Set<string>()
  const addRead = (path: string): void => {
    const [root, name] = path.split('.')
    if (root === 'params') params.add(path)
    if (root !== 'data' || name === undefined) return
    const known = data.get(name)
    data.set(name, (known ?? new Set()).add(path))
    const source = known === undefined ? page.dataSources.get(name) : undefined
    if (source !== undefined) for (const sourcePath of pathsOfSource(source)) addRead(sourcePath)
  }
  for (const path of paths) addRead(path)
  const dict = [...paths].some((path) => path.split('.')[0] === 'dict')
  return { data, params, dict, code: hasActingCode(page) }
}

/** True if the field can be invalid: for others visibility does not matter. */
function isChecked(node: PageNode, groups: readonly PageNode[]): boolean {
  const { options, spec } = node
  const isRequired =
    options.required === true || [node, ...groups].some((one) => (one.option('requiredOn') ?? null) !== null)
  return (
    BOUNDS.some((option) => isPlaced(node.option(option))) ||
    fieldRules(options, isRequired, spec.bounded).length > 0
  )
}

/** The groups around a field, those of the same row. */
function groupsAbove(page: Page, node: PageNode): readonly PageNode[] {
  const groups: PageNode[] = []
  for (let at = parentOf(page, node.parent); at; at = parentOf(page, at.parent))
    if (!at.field && at.spec.children !== 'rowList' && at.subForm === node.subForm) groups.push(at)
  return groups
}

const isPlaced = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('{{')

const parentOf = (page: Page, key: NodeKey | null): PageNode | undefined =>
  key === null ? undefined : page.nodes.get(key)

function addRule(node: PageNode, option: string, paths: Set<string>): void {
  const rule = node.option(option)
  if (rule === undefined || rule === null) return
  for (const path of dependenciesOf(rule)) paths.add(path)
}

function addPlaces(value: Json | undefined, paths: Set<string>): void {
  if (typeof value === 'string') for (const path of pathsOf(value)) paths.add(path)
}

/** Every path of the data and of the parameters in a source's own rule, texts and expressions. */
function pathsOfSource(source: DataSource): readonly string[] {
  return JSON.stringify(source).match(/\b(?:data|params)(?:\.\w+)+/g) ?? []
}

function hasActingCode({ hasCode, nodes, config }: Page): boolean {
  if (!hasCode) return false
  const acts = (object: object): boolean =>
    Object.entries(object).some(
      ([key, value]) =>
        isCodeKey(key) &&
        !JUDGING.has(key) &&
        key !== 'functions' &&
        typeof value === 'string' &&
        value.trim() !== '',
    )
  return acts(config) || [...nodes.values()].some(({ widget }) => acts(widget.options))
}
