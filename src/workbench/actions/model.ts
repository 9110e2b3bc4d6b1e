import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { ACTIONS, type ActionValue } from '../../../runtime/core/page/actions.ts'
import { t } from '../context.ts'
import { sentenceOf } from '../rules/explain.ts'
import type { Readable } from '../rules/fields-of.ts'
import { readRule } from '../rules/model.ts'

/** A key of an action, as shown in its form. */
export interface ActionKey {
  readonly name: string
  readonly kind: ActionValue
  /** It is always shown in the form. */
  readonly isAlwaysShown: boolean
}

/** Every key of an action; required ones first. */
export function keysOf(name: string): readonly ActionKey[] {
  const spec = ACTIONS[name]
  if (spec === undefined) return []
  const keys = Object.entries(spec.keys).map(([key, kind]) => ({
    name: key,
    kind,
    isAlwaysShown: spec.required.includes(key),
  }))
  return [
    ...keys.filter(({ isAlwaysShown }) => isAlwaysShown),
    ...keys.filter(({ isAlwaysShown }) => !isAlwaysShown),
    ...(Object.hasOwn(spec.keys, 'if') ? [] : [{ name: 'if', kind: 'rule', isAlwaysShown: false } as const]),
  ]
}

const BLANK: Readonly<Partial<Record<ActionValue, Json>>> = {
  text: '',
  source: '',
  json: '',
  number: 0,
  boolean: true,
  actions: [],
  choices: [],
  object: {},
  query: {},
}

/** The initial value of a key; undefined for a rule, which is built. */
export const blankOf = (kind: ActionValue): Json | undefined => BLANK[kind]

/** Changes the kind of an action: common keys are kept. */
export function convertAction(name: string, before: JsonObject): JsonObject {
  const spec = ACTIONS[name]
  const [first] = spec?.oneOf ?? []
  const requiredKeys = [...(first === undefined ? [] : [first]), ...(spec?.required ?? [])]
  const entries = keysOf(name).flatMap(({ name: key, kind }): [string, Json][] => {
    const was = before[key]
    if (was !== undefined && ACTIONS[String(before.do)]?.keys[key] === spec?.keys[key]) return [[key, was]]
    const blank = blankOf(kind)
    return requiredKeys.includes(key) && blank !== undefined ? [[key, blank]] : []
  })
  return { do: name, ...Object.fromEntries(entries) }
}

/** False for actions that are edited elsewhere, and for unknown ones: those can only be edited as JSON. */
export const isAction = (value: Json): value is JsonObject & { readonly do: string } =>
  isObject(value) && typeof value.do === 'string' && Object.hasOwn(ACTIONS, value.do)

/** The key with the subject of an action. */
const ABOUT = ['content', 'text', 'url', 'dsName', 'create', 'field', 'data', 'title', 'name'] as const

/** An action as one line. */
export function actionSentence(action: Json, fields: readonly Readable[]): string {
  if (!isAction(action)) return t('workbench.action.other', { json: JSON.stringify(action) ?? '' })
  const about = [...ABOUT, 'value']
    .map((key) => action[key])
    .find((one) => typeof one === 'string' && one !== '')
  const rule = action.if === undefined ? null : readRule(action.if)
  const label = t(`workbench.action.${action.do}`)
  const sentence =
    about === undefined ? label : t('workbench.action.about', { said: label, about: String(about) })
  return rule === null || rule.parts.length === 0
    ? sentence
    : t('workbench.action.if', { whole: sentence, rule: sentenceOf(rule, fields) })
}

const LAYERS = new Set(['sheet', 'popup', 'dialog', 'drawer'])

/** Names on the page that fit a key. */
export function namesFor(action: string, key: string, engine: Engine | null): readonly string[] {
  if (engine === null) return []
  const { nodes, dataSources } = engine.page
  if (key === 'dsName' || key === 'create' || key === 'update') return [...dataSources.keys()]
  const named = [...nodes.values()].filter(({ name }) => name !== '')
  if (key === 'field') return named.filter(({ field }) => field).map(({ name }) => name)
  if (key === 'name' && action !== 'emit')
    return named.filter(({ type }) => LAYERS.has(type)).map(({ name }) => name)
  return []
}
