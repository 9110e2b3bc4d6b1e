import { type Json, numberIn } from '../json.ts'
import type { OptionSpec } from '../page/widget-spec.ts'

/** Short ways to write one line of an option table. `doc` is the hover text of an editor. */
export const text = (doc?: string, initial: string | null = ''): OptionSpec => option('text', initial, doc)
export const string = (doc?: string, initial: string | null = ''): OptionSpec =>
  option('string', initial, doc)
export const flag = (doc?: string, initial: boolean | null = false): OptionSpec =>
  option('boolean', initial, doc)
export const number = (doc?: string, initial: Json = null): OptionSpec => option('number', initial, doc)
/** Zero and less count as missing. */
export const positive = (spec: OptionSpec): OptionSpec => ({
  ...spec,
  fits: (value) => !(numberIn(value) <= 0),
})
export const list = (doc?: string, initial: readonly Json[] = []): OptionSpec => option('array', initial, doc)
export const object = (doc?: string): OptionSpec => option('object', null, doc)
export const any = (doc?: string, initial: Json = null): OptionSpec => option('any', initial, doc)
export const rule = (doc: string): OptionSpec => option('rule', null, doc)
export const code = (doc?: string): OptionSpec => option('code', '', doc)

/** An option that the user changes by looking around; see {@link OptionSpec.chosen}. */
export const chosen = (spec: OptionSpec): OptionSpec => ({ ...spec, chosen: true })

/** One of a few words; the first is the default. */
export function choice(words: readonly [string, ...string[]], doc?: string): OptionSpec {
  return { ...option('string', words[0], doc), enum: words }
}

function option(type: OptionSpec['type'], initial: Json, doc: string | undefined): OptionSpec {
  return doc === undefined ? { type, default: initial } : { type, default: initial, doc }
}
