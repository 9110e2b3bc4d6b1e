import { isObject, type Json, type JsonObject } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'

/** The effects of code and actions on the page and on others, as far as names in their text reveal them. */
export interface Effects {
  /** Names of fields; `*` for the whole form, `this` for the field with the code. */
  readonly writes: readonly string[]
  /** Names of data sources. */
  readonly asks: readonly string[]
}

const NONE: Effects = { writes: [], asks: [] }

/** @param value  a hook's code, a list of actions, or a value that contains them */
export function effectsOf(value: unknown, key = ''): Effects {
  if (typeof value === 'string') return isCodeKey(key) ? effectsOfCode(value) : NONE
  if (Array.isArray(value)) return combined(value.map((one) => effectsOf(one)))
  if (!isObject(value as Json)) return NONE
  const object = value as JsonObject
  return combined([
    ...(typeof object.do === 'string' ? [effectsOfAction(object)] : []),
    ...Object.entries(object).map(([name, child]) => effectsOf(child, name)),
  ])
}

/** Effects of `after` that `before` does not have. */
export const newEffects = (before: Effects, after: Effects): Effects => ({
  writes: after.writes.filter((one) => !before.writes.includes(one)),
  asks: after.asks.filter((one) => !before.asks.includes(one)),
})

function effectsOfCode(code: string): Effects {
  const found = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = '']) => name)
  return combined([
    {
      writes: [
        ...found(/\bset(?:FieldValue|SubFormValues)\(\s*['"]([\w.-]+)['"]/g),
        ...found(/\bgetWidgetRef\(\s*['"]([\w.-]+)['"][^()]*\)\s*\.\s*set(?:Value|SubFormValues)\(/g),
        ...(/\b(?:setFormData|resetForm|clearFormDataModel)\(/.test(code) ? ['*'] : []),
        ...(/\bthis\.setValue\(/.test(code) ? ['this'] : []),
      ],
      asks: found(/\bexecuteDataSource\(\s*['"]([\w.-]+)['"]/g),
    },
  ])
}

function effectsOfAction({ do: name, dsName, create, update, field, fields, value }: JsonObject): Effects {
  const text = (one: Json | undefined): string[] => (typeof one === 'string' && one !== '' ? [one] : [])
  if (name === 'set')
    return {
      writes: [...text(field), ...(fields === true && isObject(value) ? Object.keys(value) : [])],
      asks: [],
    }
  return ['request', 'submit', 'save'].includes(String(name))
    ? { writes: [], asks: [...text(dsName), ...text(create), ...text(update)] }
    : NONE
}

const combined = (all: readonly Effects[]): Effects => ({
  writes: [...new Set(all.flatMap(({ writes }) => writes))],
  asks: [...new Set(all.flatMap(({ asks }) => asks))],
})
