import { FAILURES, HINTS, MISTAKES, PROBLEMS } from '../../runtime/core/errors.ts'

interface Entry {
  readonly message: string
  readonly hint: string
}

const KINDS: readonly (readonly [string, Readonly<Record<string, Entry>>])[] = [
  ['Problems of a page (`parsePage`, `npm run check:pages`)', PROBLEMS],
  ['Failures of the world (values at a port)', withHints(FAILURES)],
  ['Mistakes of a programmer (thrown)', withHints(MISTAKES)],
]

function withHints(messages: Readonly<Record<string, string>>): Readonly<Record<string, Entry>> {
  const hints: Readonly<Record<string, string>> = HINTS
  return Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { message, hint: hints[code] ?? '' }]),
  )
}

/** The catalogue of `core/errors.ts` as Markdown, one table per kind. */
export function errorTables(): string {
  return KINDS.map(([title, entries]) => `### ${title}\n\n${table(entries)}`).join('\n\n')
}

function table(entries: Readonly<Record<string, Entry>>): string {
  const rows = Object.entries(entries).map(
    ([code, { message, hint }]) => `| ${code} | ${cell(message)} | ${cell(hint)} |`,
  )
  return ['| Code | Sentence | How to go on |', '|---|---|---|', ...rows].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
