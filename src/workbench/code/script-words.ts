import type { Entry } from '../../../runtime/core/hooks/catalogue-entry.ts'
import { HOOKS } from '../../../runtime/core/hooks/hook-names.ts'
import { CATALOGUE } from '../../../runtime/core/hooks/script-catalogue.ts'

/** The names that a script of this page can use. */
export interface ScriptNames {
  /** The edited hook; `functions` for shared code. */
  readonly hook: string
  /** Every named widget, and the kind of its reference in scripts. */
  readonly fields: readonly (Named & { readonly owner?: Owner })[]
  readonly sources: readonly Named[]
  /** The page's own functions. */
  readonly functions: readonly string[]
}

interface Named {
  readonly name: string
  readonly label: string
}

/** The kind of a widget's reference, which determines its methods. */
type Owner = 'field' | 'subForm' | 'container'

/** A suggestion at the cursor. */
interface Word {
  readonly label: string
  readonly detail: string
}

/** Start of the typed part of it. */
interface Words {
  readonly from: number
  readonly list: readonly Word[]
}

const IN_SOURCE = /executeDataSource\(\s*['"]([\w.-]*)$/
const IN_FIELD = /\w+\(\s*['"]([\w.-]*)$/
const OF_FORM = /(?:getFormRef\(\)|VFR|form)\.([\w$]*)$/
const OF_WIDGET = /getWidgetRef\(\s*(?:['"]([\w.-]*)['"]|[^()]*)\s*\)\.([\w$]*)$/
const OF_MODEL = /(?<![\w$.])(?:formModel|formData)\.([\w$]*)$/
const OF_SELF = /(?<![\w$.])this\.([\w$]*)$/
const BARE = /(?<![\w$.'"])([\w$]+)$/

/** The suggestions at the end of a typed line; null if none are offered. */
export function wordsAfter(line: string, names: ScriptNames): Words | null {
  const ownersOf = (name: string | undefined): readonly Entry['owner'][] => {
    const owner = names.fields.find((field) => field.name === name)?.owner
    return owner === undefined ? WIDGET : ['every', owner]
  }
  const tries: readonly (readonly [RegExp, (found: RegExpExecArray) => readonly Word[]])[] = [
    [IN_SOURCE, () => names.sources.map(named)],
    [IN_FIELD, () => names.fields.map(named)],
    [OF_FORM, () => members(['every', 'form'])],
    [OF_WIDGET, ([, name]) => members(ownersOf(name))],
    [OF_MODEL, () => names.fields.filter(({ owner }) => owner !== 'container').map(named)],
    [OF_SELF, () => members(HOOKS[names.hook]?.self === 'form' ? ['every', 'form'] : WIDGET)],
    [BARE, () => topLevel(names)],
  ]
  for (const [pattern, list] of tries) {
    const found = pattern.exec(line)
    if (found !== null) return { from: line.length - (found.at(-1)?.length ?? 0), list: list(found) }
  }
  return null
}

/** The hook with its parameters: `onChange(value, oldValue)`. */
export const signatureOf = (hook: string): string => `${hook}(${HOOKS[hook]?.params.join(', ') ?? ''})`

const WIDGET: readonly Entry['owner'][] = ['every', 'field', 'subForm', 'container']

const members = (owners: readonly Entry['owner'][]): readonly Word[] =>
  CATALOGUE.filter(({ owner, status }) => status !== 'error' && owners.includes(owner)).map(
    ({ name, params, kind }) => ({ label: name, detail: kind === 'method' ? `(${params})` : '' }),
  )

const topLevel = ({ hook, functions }: ScriptNames): readonly Word[] => [
  ...(HOOKS[hook]?.params ?? []).map(wordOf),
  wordOf('this'),
  ...functions.map((name) => ({ label: name, detail: '()' })),
  ...members(['global']),
]

const wordOf = (label: string): Word => ({ label, detail: '' })
const named = ({ name, label }: Named): Word => ({ label: name, detail: label })

/** Names of the functions declared in a text. */
export const functionsIn = (code: string): readonly string[] =>
  [...code.matchAll(/\bfunction\s+([\w$]+)\s*\(/g)].map(([, name = '']) => name)
