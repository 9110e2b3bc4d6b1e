import { readXml } from './read-xml.ts'
import { dateOfSerial, isDateFormat } from './sheet-dates.ts'
import { MAX_CELL, MAX_TEXT, UnreadableFile } from './unreadable-file.ts'
import { openZip, type ZipParts } from './zip-parts.ts'

/** A cell as it was read. */
export type ReadCell = string | number | boolean | Date | null

/** A row with content, and its number in the sheet. */
export interface ReadRow {
  readonly at: number
  readonly cells: readonly ReadCell[]
}

/** Limits of a sheet; reading stops where one is exceeded. */
export interface SheetLimits {
  /** Rows, including the titles. */
  readonly rows: number
  readonly columns: number
}

/** All parts that are read, uncompressed. */
const MAX_UNPACKED = 60 * 1024 * 1024
/** Texts shared by the cells of all sheets of a file. */
const MAX_SHARED = 1_000_000

/**
 * Reads the first sheet of an xlsx file as a stream: nothing is built for cells outside the limits. Rows are passed on as they end,
 * empty ones are left out.
 *
 * @throws UnreadableFile
 */
export async function parseSheet(
  content: Buffer,
  limits: SheetLimits,
  onRow: (row: ReadRow) => void,
): Promise<void> {
  const zip = openZip(content, MAX_UNPACKED)
  const book = await readBook(zip)
  const shared = await readShared(zip, book.shared)
  const dates = await readDateStyles(zip, book.styles)
  const cellOf = createCellReader(shared, dates, book.is1904)
  let at = 0
  let column = 0
  let cells: ReadCell[] = []
  let cell: RawCell | null = null
  let part: 'value' | 'text' | null = null
  let isPhonetic = false
  let textLeft = MAX_TEXT

  const endCell = ({ type, style, value }: RawCell): void => {
    const read = cellOf(type, style, value)
    if (read === null || read === '') return
    if (column > limits.columns) throw new UnreadableFile('columns')
    if (at > limits.rows) throw new UnreadableFile('rows')
    textLeft -= typeof read === 'string' ? read.length : 0
    if (textLeft < 0) throw new UnreadableFile('text')
    while (cells.length < column - 1) cells.push(null)
    cells[column - 1] = read
  }
  await readXml(zip.read(book.sheet), {
    open(name, { r, t = 'n', s = '' }) {
      if (name === 'row') {
        at = r === undefined ? at + 1 : indexOf(r)
        column = 0
        cells = []
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r)
        cell = { type: t, style: Number(s), value: '' }
      } else if (name === 'v') part = 'value'
      else if (name === 't') part = isPhonetic ? null : 'text'
      else if (name === 'rPh') isPhonetic = true
    },
    text(chunk) {
      if (cell === null || part === null) return
      cell.value += chunk
      if (cell.value.length > MAX_CELL) throw new UnreadableFile('cell')
    },
    close(name) {
      if (name === 'v' || name === 't') part = null
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell !== null) {
        endCell(cell)
        cell = null
      } else if (name === 'row' && cells.length > 0) onRow({ at, cells })
    },
  })
}

interface RawCell {
  readonly type: string
  readonly style: number
  value: string
}

type CellReader = (type: string, style: number, value: string) => ReadCell

function createCellReader(
  shared: readonly string[],
  dates: ReadonlySet<number>,
  is1904: boolean,
): CellReader {
  return (type, style, value) => {
    if (type === 's') return shared[Number(value)]?.trim() ?? null
    if (value === '' || type === 'inlineStr' || type === 'str' || type === 'e') return value.trim()
    if (type === 'b') return value === '1' || value === 'true'
    if (type === 'd') return dateOfText(value)
    const number = Number(value)
    if (Number.isNaN(number)) return value.trim()
    return dates.has(style) ? dateOfSerial(number, is1904) : number
  }
}

function dateOfText(value: string): ReadCell {
  const time = Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(time) ? value : new Date(time)
}

/** The row of `A12` or `12`. @throws UnreadableFile */
function indexOf(reference: string): number {
  const found = /^[A-Za-z]{0,3}(\d{1,7})$/.exec(reference)
  if (found === null) throw new UnreadableFile('unreadable')
  return Number(found[1])
}

/** The column of `AB12`, from 1. @throws UnreadableFile */
function columnOf(reference: string): number {
  const found = /^([A-Z]{1,3})\d{1,7}$/.exec(reference.toUpperCase())
  if (found === null) throw new UnreadableFile('unreadable')
  return [...(found[1] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

interface Book {
  readonly sheet: string
  readonly shared: string | null
  readonly styles: string | null
  readonly is1904: boolean
}

/** The paths of the first sheet of the workbook and of the parts it refers to. */
async function readBook(zip: ZipParts): Promise<Book> {
  const root = await readLinks(zip, '_rels/.rels', '')
  const book = [...root.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const folder = book.slice(0, book.lastIndexOf('/') + 1)
  const links = await readLinks(zip, `${folder}_rels/${book.slice(folder.length)}.rels`, folder)
  let first: string | undefined
  let is1904 = false
  await readXml(zip.read(book), {
    open(name, attributes) {
      if (name === 'sheet') first ??= Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1]
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  const linked = (type: string) => [...links.values()].find((link) => link.type === type)?.target ?? null
  const sheet = links.get(first ?? '')?.target ?? linked('worksheet')
  if (sheet === null) throw new UnreadableFile('unreadable')
  return { sheet, shared: linked('sharedStrings'), styles: linked('styles'), is1904 }
}

interface Link {
  readonly type: string
  readonly target: string
}

async function readLinks(zip: ZipParts, part: string, folder: string): Promise<ReadonlyMap<string, Link>> {
  const links = new Map<string, Link>()
  if (!zip.has(part.toLowerCase())) return links
  await readXml(zip.read(part.toLowerCase()), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return
      const target = Target.startsWith('/') ? Target.slice(1) : `${folder}${Target.replace(/^\.\//, '')}`
      links.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: target.toLowerCase() })
    },
  })
  return links
}

async function readShared(zip: ZipParts, part: string | null): Promise<readonly string[]> {
  const texts: string[] = []
  if (part === null || !zip.has(part)) return texts
  let text = ''
  let isText = false
  let isPhonetic = false
  await readXml(zip.read(part), {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') isText = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(chunk) {
      if (!isText) return
      text += chunk
      if (text.length > MAX_CELL) throw new UnreadableFile('cell')
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si' && texts.push(text) > MAX_SHARED) throw new UnreadableFile('text')
    },
  })
  return texts
}

/** The styles of cells whose numbers are dates. */
async function readDateStyles(zip: ZipParts, part: string | null): Promise<ReadonlySet<number>> {
  const dates = new Set<number>()
  if (part === null || !zip.has(part)) return dates
  const formats = new Map<string, string>()
  let style = -1
  let isCells = false
  await readXml(zip.read(part), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') formats.set(numFmtId, formatCode)
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        style += 1
        if (isDateFormat(Number(numFmtId), formats.get(numFmtId))) dates.add(style)
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return dates
}
