import { type Phrase, phrase } from '../errors.ts'

/** What a compiled JSON schema validator reports about a value. */
export interface SchemaError {
  readonly keyword?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** By keyword; the placeholders are the validator's own parameters. */
export type Sentences = Readonly<Record<string, Phrase>>

/** Sentences for the keywords of the document schema. */
const SENTENCES: Sentences = {
  required: phrase('must have the property "{missingProperty}"'),
  enum: phrase('must be one of {allowedValues}'),
  pattern: phrase('must match the pattern {pattern}'),
}

const TYPES: Readonly<Record<string, Phrase>> = {
  string: phrase('a text'),
  object: phrase('an object'),
  array: phrase('a list'),
  boolean: phrase('true or false'),
  integer: phrase('a whole number'),
  number: phrase('a number'),
  null: phrase('null'),
}

/**
 * The error as a sentence that follows the name of the value.
 * @param more  sentences of keywords that the schema of documents does not use
 */
export function schemaFault({ keyword = '', params = {} }: SchemaError, more: Sentences = {}): Phrase {
  if (keyword === 'type') return phrase('must be {type}', { type: typesOf(params.type) })
  const values = Object.entries(params).map(([name, value]) => [name, [value].flat().join(', ')])
  return phrase((SENTENCES[keyword] ?? more[keyword] ?? MISFIT).words, Object.fromEntries(values))
}

const MISFIT = phrase('does not fit')

function typesOf(type: unknown): Phrase {
  const [first = MISFIT, ...more] = [type].flat().flatMap((name) => TYPES[String(name)] ?? [])
  return more.reduce((one, other) => phrase('{one} or {other}', { one, other }), first)
}
