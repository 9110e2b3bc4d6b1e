import type { Json } from './json.ts'

/**
 * An error in a page document, for its author. Errors are collected, never thrown one at a time. `at` is an RFC 6901 JSON pointer into the given
 * document, where it always exists.
 */
export interface Problem {
  readonly code: ProblemCode
  readonly at: string
  readonly message: string
  readonly hint: string
  /** An error keeps the page from opening; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** Message and hint before their placeholders were replaced, for translation. */
  readonly said: ProblemPhrases
}

export interface ProblemPhrases {
  readonly message: Phrase
  readonly hint: Phrase
}

/** A sentence with `{name}` placeholders and their values. Translations are looked up by the English words. */
export interface Phrase {
  readonly words: string
  readonly params: Params
}

export const phrase = (words: string, params: Params = {}): Phrase => ({ words, params })

/** The sentence with its placeholders filled. @param translate  maps the English sentence to another language, placeholders unchanged */
export function formatPhrase({ words, params }: Phrase, translate?: (words: string) => string): string {
  const filled = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'object' ? formatPhrase(value, translate) : value,
  ])
  return fillPlaces(translate?.(words) ?? words, Object.fromEntries(filled))
}

/** A failure of the outside world, as a value returned by a port. `shown`: the user has already been told. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly shown?: boolean
  /** HTTP status or wire code, if any. */
  readonly status?: number
  /** The answer's `meta.error.type`, if any. */
  readonly type?: string
  /** Messages by field address. */
  readonly fields?: Readonly<Record<string, string>>
  /** The answer's data: the current copy of a 409, `retryAfter` of a 429. */
  readonly data?: Json
  /** Headers of the answer, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Defines every code: severity, sentence and hint, with `{name}` placeholders. */
interface Entry {
  readonly message: string
  readonly hint: string
}

/** Faults of a page document. */
export const PROBLEMS = {
  DOCUMENT_INVALID: {
    message: 'the document is not a page: {reason}',
    hint: 'a page is an object with widgetList and formConfig',
  },
  DOCUMENT_TOO_LARGE: {
    message: 'the document has {size} characters, {limit} are allowed',
    hint: 'split the page',
  },
  DOCUMENT_TOO_DEEP: {
    message: 'nested {depth} levels deep, {limit} are allowed',
    hint: 'flatten the containers',
  },
  TOO_MANY_WIDGETS: {
    message: '{count} widgets, {limit} are allowed',
    hint: 'split the page',
  },
  NAME_FORBIDDEN: {
    message: '"{name}" cannot be used as a name',
    hint: 'choose another name',
  },
  NAME_MISSING: {
    message: 'this field has no options.name',
    hint: 'give it a name: it is the key of its value',
  },
  NAME_REPEATED: {
    message: 'the field name "{name}" is used more than once',
    hint: 'names are the keys of the data: give each field its own',
  },
  WIDGET_UNKNOWN: {
    message: 'no widget is registered as "{type}"',
    hint: 'did you mean "{nearest}"?',
  },
  PAGE_EMPTY: {
    message: 'the page shows nothing: its widgetList is empty',
    hint: 'put a widget into it',
  },
  WORD_UNKNOWN: { message: '"{name}" is not one of the {what}', hint: 'see runtime/PAGE-FORMAT.md' },
  OPTION_INVALID: { message: '{reason}', hint: 'see runtime/PAGE-FORMAT.md' },
  RULE_INVALID: {
    message: '{reason}',
    hint: 'see the rules section of runtime/PAGE-FORMAT.md',
  },
  RULE_UNKNOWN_NAME: {
    message: 'the rule reads "{path}", which does not exist',
    hint: 'rules read form, row, params, user, dict and data',
  },
  RULE_CYCLE: {
    message: 'rules depend on each other: {path}',
    hint: 'break the circle',
  },
  PATTERN_INVALID: {
    message: 'the validation pattern cannot be read: {reason}',
    hint: 'use a named rule or a regular expression',
  },
  TEMPLATE_INVALID: {
    message: '{reason}',
    hint: 'a place is written {{ path | filter:arg }}',
  },
  TEXT_MISSING: {
    message: 'the text "{key}" is missing in: {languages}',
    hint: 'formConfig.page.texts holds each text once for each of its languages',
  },
  FILTER_UNKNOWN: {
    message: 'no filter is called "{name}"',
    hint: 'known filters: {known}',
  },
  DATA_SOURCE_UNKNOWN: {
    message: 'no data source is called "{name}"',
    hint: 'declare it in formConfig.dataSources',
  },
  ACTION_INVALID: {
    message: '{reason}',
    hint: 'see the actions section of runtime/PAGE-FORMAT.md',
  },
  FRAGMENT_UNKNOWN: {
    message: 'no fragment is called "{name}"',
    hint: 'fragments are files under schemas/fragments',
  },
  FRAGMENT_CYCLE: {
    message: 'fragments contain each other: {path}',
    hint: 'break the circle',
  },
  JSON_INVALID: {
    message: 'the file is not JSON: {reason}',
    hint: 'look at the line and column',
  },
  CODE_INVALID: {
    message: 'the code cannot be read: {reason}',
    hint: 'hooks are JavaScript statements',
  },
} as const satisfies Record<string, Entry>
export type ProblemCode = keyof typeof PROBLEMS

/** Messages of failures of the outside world, which ports return as values. Wire codes of PROTOCOL 3 are kept in `Failure.status`. */
export const FAILURES = {
  NETWORK: 'the network did not answer',
  TIMEOUT: 'timeout',
  ABORTED: 'the request was aborted',
  HTTP_STATUS: 'the server answered {status}',
  ANSWER_INVALID: 'the answer cannot be read',
  SESSION_OVER: 'the session is over',
  REFUSED: 'the server refused: {reason}',
  CONFLICT: 'the record was changed by somebody else',
  INVALID_INPUT: 'some fields are not valid',
  DATA_SOURCE_UNKNOWN: 'no data source is called "{name}"',
  DATA_SOURCE_ORIGIN: 'the origin of {url} is not allowed',
  NOT_A_READ: 'a check on the server does not ask for {url}',
  SCRIPT_ERROR: 'the script failed: {reason}',
  SCRIPT_BUDGET: 'the script used up its time',
  SCRIPT_UNAVAILABLE: 'the code that runs scripts could not be loaded',
} as const
export type FailureCode = keyof typeof FAILURES

/** What to do about a failure or a mistake, for the manual: errors do not carry it, and phones do not load it. */
export const HINTS: Readonly<Partial<Record<FailureCode | MistakeCode, string>>> = {
  NETWORK: 'try again',
  TIMEOUT: 'try again',
  SESSION_OVER: 'log in again',
  DATA_SOURCE_UNKNOWN: 'declare it in formConfig.dataSources',
  DATA_SOURCE_ORIGIN:
    'the operator lists it in DATA_ORIGINS, and the tenant has not taken it out of its own list',
  NOT_A_READ:
    'checks may ask what our own server answers and what changes nothing: GET, and lists, counts, checks by POST',
  SCRIPT_UNAVAILABLE: 'it is requested again while the page is open: try again',
  WIDGET_REPEATED: 'registry types and aliases are unique',
}

/** Programming errors: thrown at once. */
export const MISTAKES = {
  WIDGET_REPEATED: 'a widget is already registered as "{type}"',
  NODE_UNKNOWN: 'the page has no node "{key}"',
} as const
export type MistakeCode = keyof typeof MISTAKES

/** Values for the placeholders of a sentence: plain values or further phrases. */
type Params = Readonly<Record<string, string | number | Phrase>>

/** Fills `{name}` placeholders; unknown names stay as written. */
export function fillPlaces(template: string, params: Readonly<Record<string, string | number>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : place,
  )
}

/** A problem from the catalogue. @param hint  a more specific hint than the catalogue's */
export function problem(
  code: ProblemCode,
  at: string,
  params: Params = {},
  severity: Problem['severity'] = 'error',
  hint: Phrase = phrase(PROBLEMS[code].hint, params),
): Problem {
  const phrases = { message: phrase(PROBLEMS[code].message, params), hint }
  return {
    code,
    at,
    message: formatPhrase(phrases.message),
    hint: formatPhrase(hint),
    severity,
    said: phrases,
  }
}

/** A failure from the catalogue; `more` adds what the port knows about it. */
export function failure(
  code: FailureCode,
  params?: Readonly<Record<string, string | number>>,
  more: Partial<Failure> = {},
): Failure {
  return { code, message: fillPlaces(FAILURES[code], params), ...more }
}

/** A programming error. */
export class RuntimeError extends Error {
  readonly code: MistakeCode
  constructor(code: MistakeCode, params?: Readonly<Record<string, string | number>>) {
    super(`${code}: ${fillPlaces(MISTAKES[code], params)}`)
    this.name = 'RuntimeError'
    this.code = code
  }
}
