import { isObject, type Json } from '../../runtime/core/json.ts'
import type { Rule } from './description.ts'

/** A field that an expression may name: as rules call it, and as people do. */
export interface Named {
  readonly name: string
  readonly label: string
}

/** What of an expression cannot be read; '' at its end. */
export interface ExpressionFault {
  readonly fault: string
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|\[([^\]]*)\]|([-+*/()×÷（）－＋])|([^\s\d[\]+\-*/()×÷（）－＋][^\s[\]+\-*/()×÷（）－＋]*))/uy
const SIGNS: Readonly<Record<string, string>> = {
  '×': '*',
  '÷': '/',
  '（': '(',
  '）': ')',
  '－': '-',
  '＋': '+',
}
const MAX_LENGTH = 500

interface Token {
  readonly kind: 'number' | 'name' | 'sign'
  readonly text: string
}

/**
 * Reads what people write of numbers: `(合同金额 - 已回款) × 0.1`; a name with signs in it stands in brackets, `[毛利 (%)]`.
 * @param fields  a label or a name is enough; of two fields with one label the first is meant
 */
export function readExpression(
  text: string,
  fields: readonly Named[],
): { readonly rule: Rule } | ExpressionFault {
  const tokens = tokensOf(text)
  if (!Array.isArray(tokens)) return tokens as ExpressionFault
  let at = 0
  const isSign = (...signs: readonly string[]): boolean =>
    tokens[at]?.kind === 'sign' && signs.includes(tokens[at]?.text ?? '')
  const chain = (signs: readonly string[], next: () => Json): Json => {
    let left = next()
    while (isSign(...signs)) {
      const sign = tokens[at++]?.text ?? ''
      left = { [sign]: [left, next()] }
    }
    return left
  }
  const sum = (): Json => chain(['+', '-'], product)
  const product = (): Json => chain(['*', '/'], single)
  const single = (): Json => {
    const token = tokens[at++]
    if (token === undefined) throw new Unread('')
    if (token.kind === 'number') return Number(token.text)
    if (token.kind === 'name') return { var: nameOf(token.text, fields) }
    if (token.text === '-') return { '-': [single()] }
    if (token.text !== '(') throw new Unread(token.text)
    const inside = sum()
    if (!isSign(')')) throw new Unread(tokens[at]?.text ?? '')
    at += 1
    return inside
  }
  try {
    const rule = sum()
    if (at < tokens.length) throw new Unread(tokens[at]?.text ?? '')
    return isObject(rule) ? { rule } : { rule: { '+': [rule] } }
  } catch (error) {
    if (error instanceof Unread) return { fault: error.message }
    throw error
  }
}

class Unread extends Error {}

function tokensOf(text: string): readonly Token[] | ExpressionFault {
  if (text.length > MAX_LENGTH) return { fault: text.slice(0, 20) }
  const tokens: Token[] = []
  const reader = new RegExp(TOKEN)
  const written = text.trimEnd()
  while (reader.lastIndex < written.length) {
    const from = reader.lastIndex
    const found = reader.exec(written)
    if (found === null) return { fault: written.slice(from, from + 20).trim() }
    const [, number, bracketed, sign, plainName] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: SIGNS[sign] ?? sign })
    else tokens.push({ kind: 'name', text: (bracketed ?? plainName ?? '').trim() })
  }
  return tokens
}

function nameOf(written: string, fields: readonly Named[]): string {
  const found = fields.find(({ label }) => label === written) ?? fields.find(({ name }) => name === written)
  if (found === undefined) throw new Unread(written)
  return found.name
}

const STRENGTH: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 }
const FACES: Readonly<Record<string, string>> = { '+': '+', '-': '-', '*': '×', '/': '÷' }
const PLAIN = /^[^\s\d[\]+\-*/()×÷（）－＋=][^\s[\]+\-*/()×÷（）－＋]*$/u

/** The expression that {@link readExpression} would read the rule from; null for a rule that says something else. */
export function writeExpression(rule: Json, fields: readonly Named[]): string | null {
  const written = write(rule, fields, 0)
  return written === null || written.length > MAX_LENGTH ? null : written
}

function write(rule: Json, fields: readonly Named[], around: number): string | null {
  if (typeof rule === 'number') return rule < 0 ? null : String(rule)
  if (!isObject(rule)) return null
  const [entry, ...others] = Object.entries(rule)
  if (entry === undefined || others.length > 0) return null
  const [op, args = null] = entry
  if (op === 'var') {
    const field = fields.find(({ name }) => name === args)
    if (field === undefined) return null
    return PLAIN.test(field.label) ? field.label : field.label.includes(']') ? null : `[${field.label}]`
  }
  const strength = STRENGTH[op]
  if (strength === undefined || !Array.isArray(args)) return null
  if (args.length === 1) {
    const only = write(args[0] ?? null, fields, op === '-' ? 3 : around)
    return only === null ? null : op === '-' ? `-${only}` : op === '+' ? only : null
  }
  const parts = args.map((arg, i) => write(arg, fields, i === 0 ? strength : strength + 0.5))
  if (args.length === 0 || parts.includes(null)) return null
  const chain = parts.join(` ${FACES[op]} `)
  return strength < around ? `(${chain})` : chain
}
