import { takeNumbers } from './numbers.ts'
import {
  CHINESE_NAME,
  COMPANY,
  COMPANY_ENGLISH,
  COMPANY_SHORT,
  COURTESY_NAME,
  DEPARTMENT,
  DEPARTMENT_BEFORE,
  ENGLISH_NAME,
  isAddress,
  LABELS,
  type Label,
  NAME_BEFORE,
  NEXT_LABEL,
  NO_NAMES,
  POSITION,
  POSITION_ENGLISH,
  SPACED_NAME,
  TITLE_BEFORE,
  TITLE_BEHIND,
} from './words.ts'

/** The parts of a card or signature; '' if absent. */
export interface Card {
  readonly name: string
  readonly company: string
  readonly department: string
  readonly position: string
  readonly mobile: string
  readonly telephone: string
  readonly wechat: string
  readonly email: string
  readonly website: string
  readonly address: string
  /** Lines and numbers that fit no other part, so that no text is lost. */
  readonly rest: string
}

type Part = Exclude<keyof Card, 'rest'>
type Found = Record<Part, string> & { readonly rest: string[] }

/** Maximum length of a text; the rest of a longer one is ignored. */
const MAX_TEXT = 3_000
const MAX_LINES = 60
const MAX_LINE = 200

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/
const SITE =
  /(?:https?:\/\/|www\.)[^\s,;()<>\u4e00-\u9fff]{3,120}|(?<![\w@.-])(?:[\w-]{1,63}\.){1,3}(?:com|cn|net|org|io|co|top|tech|group|vip|shop|info|biz|hk|tw|jp|de|uk|us)(?:\/[^\s,;\u4e00-\u9fff]{0,100})?(?![\w@.-])/i
const CHINESE = /[\u4e00-\u9fff]/
const WECHAT = /^[A-Za-z][\w-]{4,29}|^1\d{10}/

/** Parses the text of a card that was pasted or shared: by labels first, then by shapes, then by words. */
export function readCard(text: string): Card {
  const found: Found = {
    name: '',
    company: '',
    department: '',
    position: '',
    mobile: '',
    telephone: '',
    wechat: '',
    email: '',
    website: '',
    address: '',
    rest: [],
  }
  for (const line of linesOf(text)) {
    const [label, pattern] = LABELS.find(([, one]) => one.test(line)) ?? [null, null]
    if (label === null) readLine(line, found)
    else readLabelled(label, line.replace(pattern, '').trim(), line, found)
  }
  settleCompany(found)
  return { ...found, rest: found.rest.join('\n') }
}

/** Converts to half width and removes invisible characters; columns and labels in the same line become separate lines. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/\r\n?|[\t|丨¦]| {3,}|;/g, '\n')
    .split('\n')
    .slice(0, MAX_LINES)
    .flatMap((line) => line.slice(0, MAX_LINE).replace(NEXT_LABEL, '\n').split('\n'))
    .map(trimmed)
    .filter((line) => line !== '')
}

/** Without decorative marks at both ends. */
function trimmed(line: string): string {
  return line.replace(
    /^[\s\-–—_=*#/•·●■◆▪►>,.:、。"“”'~【】[\]]+|[\s\-–—_=*#/•·●■◆▪►,:、。"“”'~【】[\]]+$/g,
    '',
  )
}

function addPart(part: Part, value: string, found: Found): void {
  const clean = trimmed(value)
  if (clean === '' || clean === found[part]) return
  if (found[part] === '') found[part] = clean
  else found.rest.push(clean)
}

function readLabelled(label: Label, value: string, line: string, found: Found): void {
  if (value === '') return
  if (label === 'fax' || label === 'other') found.rest.push(line)
  else if (label === 'wechat') {
    const [id = ''] = WECHAT.exec(value) ?? []
    if (id === '') found.rest.push(line)
    else addPart('wechat', id, found)
  } else if (label === 'mobile' || label === 'telephone' || label === 'email' || label === 'website') {
    const remaining = takeShapes(value, found)
    if (remaining === value) found.rest.push(line)
    else if (remaining !== '') readFree(remaining, found)
  } else if (label === 'name') readNamed(value, found)
  else addPart(label, value, found)
}

/** What stands behind 姓名: a name, also with spaces in it, or a name with a title. */
function readNamed(value: string, found: Found): void {
  const name = value.replace(/\s+/g, '')
  if (isWhole(name)) addPart('name', name, found)
  else if (!readPerson(value, found)) addPart('name', value, found)
}

function readLine(line: string, found: Found): void {
  const remaining = takeShapes(line, found)
  const parts =
    CHINESE.test(remaining) && !isAddress(remaining) ? remaining.split(',').map(trimmed) : [remaining]
  for (const part of parts) if (part !== '') readFree(part, found)
}

/** Removes the parts that are recognised by shape anywhere in a line. @returns the rest */
function takeShapes(line: string, found: Found): string {
  let remaining = line
  for (const [part, shape] of [
    ['email', EMAIL],
    ['website', SITE],
  ] as const)
    for (let match = shape.exec(remaining); match !== null; match = shape.exec(remaining)) {
      addPart(part, match[0].replace(/[.,/]+$/, ''), found)
      remaining = `${remaining.slice(0, match.index)} ${remaining.slice(match.index + match[0].length)}`
    }
  if (isAddress(remaining)) return trimmed(remaining)
  return trimmed(takeNumbers(remaining, (part, number) => addPart(part, number, found)))
}

/** Parses a line without a label. */
function readFree(line: string, found: Found): void {
  if (isAddress(line)) addPart('address', line, found)
  else if (COMPANY.test(line) && readPersonOfCompany(line, found)) return
  else if (COMPANY_ENGLISH.test(line) && !isSomebody(line)) addPart('company', line, found)
  else if (!readPerson(line, found)) found.rest.push(line)
}

const isSomebody = (line: string): boolean => {
  const [first = ''] = line.split(/\s*[,/]\s*/)
  return ENGLISH_NAME.test(first) && POSITION_ENGLISH.test(line.slice(first.length))
}

/** A company followed by a person in the same line: 华信软件有限公司 张三. */
function readPersonOfCompany(line: string, found: Found): boolean {
  const words = line.split(/\s+/)
  const personWords = words.filter((word) => !COMPANY.test(word))
  const isEach = personWords.length > 0 && personWords.every((word) => isPerson(word))
  addPart('company', isEach ? words.filter((word) => COMPANY.test(word)).join(' ') : line, found)
  if (isEach) readPerson(personWords.join(' '), found)
  return true
}

const isName = (word: string): boolean =>
  (CHINESE_NAME.test(word) &&
    !NO_NAMES.has(word) &&
    !POSITION.test(word) &&
    !/[市省区县州部处科]$/.test(word)) ||
  COURTESY_NAME.test(word)
const isPerson = (word: string): boolean =>
  isName(word.replace(TITLE_BEHIND, '')) || POSITION.test(word) || DEPARTMENT.test(word)

/** A name with or without a title, in any order. @returns false if the line has none; then nothing is stored */
function readPerson(line: string, found: Found): boolean {
  const isChinese = CHINESE.test(line)
  const words = (isChinese ? wordsOf(line) : line.split(/\s*[,/()]\s*|\s+[-–—]\s+|\s{2,}/))
    .map(trimmed)
    .filter((word) => word !== '')
  const parts: [Part, string][] = words.flatMap((word) => partsOf(word, isChinese))
  if (parts.length === 0) return false
  for (const [part, value] of parts) {
    const isMore = part === 'position' && found.position !== ''
    if (isMore && CHINESE.test(value) === CHINESE.test(found.position)) found.position += `/${value}`
    else addPart(part, value, found)
  }
  for (const word of words) if (partsOf(word, isChinese).length === 0) found.rest.push(word)
  return true
}

/** A name that is neither a title nor a company. */
const isWhole = (word: string): boolean =>
  isName(word) && !POSITION.test(word) && !DEPARTMENT.test(word) && !COMPANY_SHORT.test(word)

/** Joins a name written with spaces at the start of a line, and a title behind it that is spaced as well: 张 伟 经 理. */
function joinedName(line: string): string {
  const [head = ''] = /^[^/,():、]*/.exec(line) ?? []
  const words = head.trim().split(/\s+/)
  for (const n of [3, 2]) {
    const name = words.slice(0, n)
    const behind = joinedTitle(words.slice(n))
    const given = name.at(-1) ?? ''
    const isPartOfTitle = NO_NAMES.has(given) || (n === 3 && /^[总副]$/.test(given) && behind?.length !== 0)
    if (behind === null || isPartOfTitle || !SPACED_NAME.test(name.join(' ')) || !isWhole(name.join('')))
      continue
    return [name.join(''), ...behind].join(' ') + line.slice(head.length)
  }
  return line
}

/** Words behind a name; single characters at their start are a title, null if they are none. */
function joinedTitle(words: readonly string[]): readonly string[] | null {
  const apart = words.findIndex((word) => !/^[\u4e00-\u9fff]$/.test(word))
  const letters = apart < 0 ? words.length : apart
  if (letters === 0) return words
  const end = [letters, letters + 1].find((at) => POSITION.test(words.slice(0, at).join('')))
  return end === undefined ? null : [words.slice(0, end).join(''), ...words.slice(end)]
}

/** Splits into words: 孙 悟 空 is one word, and so is Marketing Director. */
function wordsOf(line: string): string[] {
  return joinedName(line).split(/(?<![A-Za-z.,])[\s/,():、]+|[\s/,():、]+(?![A-Za-z])|[/():、]+/)
}

function partsOf(word: string, isChinese: boolean): [Part, string][] {
  if (!isChinese || !CHINESE.test(word)) return englishPartsOf(word)
  const withoutTitle = word.replace(TITLE_BEHIND, '')
  if (isName(withoutTitle)) return [['name', withoutTitle]]
  const [, department, position = ''] = DEPARTMENT_BEFORE.exec(word) ?? []
  if (department !== undefined && POSITION.test(position))
    return [
      ['department', department],
      ['position', position],
    ]
  if (DEPARTMENT.test(word)) return [['department', word]]
  if (!POSITION.test(word)) return []
  const [, name] = NAME_BEFORE.exec(word) ?? []
  const behind = name === undefined ? '' : word.slice(name.length)
  if (
    name !== undefined &&
    isName(name) &&
    /^(?:副?总|董事|首席|经理|主任|主管|高级|销售|采购)/.test(behind) &&
    POSITION.test(behind)
  )
    return [
      ['name', name],
      ['position', behind],
    ]
  return [['position', word]]
}

function englishPartsOf(word: string): [Part, string][] {
  const withoutTitle = word.replace(TITLE_BEFORE, '')
  if (POSITION_ENGLISH.test(withoutTitle)) return [['position', word]]
  return ENGLISH_NAME.test(withoutTitle) ? [['name', withoutTitle]] : []
}

/** A company name without a legal form is only found among the remaining lines. */
function settleCompany(found: Found): void {
  if (found.company !== '') return
  const at = found.rest.findIndex((line) => COMPANY_SHORT.test(line))
  if (at >= 0) found.company = found.rest.splice(at, 1)[0] ?? ''
}
