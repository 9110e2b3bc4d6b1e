import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A cell to write. A text stays a text, whatever it begins with: no cell of ours is ever a formula. */
export type Cell = string | number | null

export interface SheetWriter {
  row(cells: readonly Cell[]): void
  end(): Buffer
}

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const CHUNK_CHARS = 200_000

/**
 * Writes one sheet row by row, compressing on the fly: 50,000 rows are never in memory as cells, and between rows the server handles other work.
 * (Available libraries build the whole file at once.)
 */
export function createSheetWriter(widths: readonly number[]): SheetWriter {
  const packed: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    packed.push(data)
  })
  for (const [name, content] of Object.entries(PARTS)) {
    const part = new ZipDeflate(name)
    zip.add(part)
    part.push(strToU8(HEAD + content), true)
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 4 })
  zip.add(sheet)
  const columns = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const freeze =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
  let waiting = `${HEAD}<worksheet xmlns="${SHEET}">${freeze}<cols>${columns.join('')}</cols><sheetData>`
  let line = 0
  const flush = (isLast: boolean): void => {
    sheet.push(strToU8(waiting), isLast)
    waiting = ''
  }
  return {
    row(cells) {
      line += 1
      waiting += `<row r="${line}">${cells.map((cell, at) => cellXml(cell, `${columnName(at)}${line}`)).join('')}</row>`
      if (waiting.length > CHUNK_CHARS) flush(false)
    },
    end() {
      waiting += '</sheetData></worksheet>'
      flush(true)
      zip.end()
      return Buffer.concat(packed)
    },
  }
}

function cellXml(cell: Cell, ref: string): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${ref}"><v>${cell}</v></c>`
  return `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(safeText(cell))}</t></is></c>`
}

/** A, B, … Z, AA, … for 0, 1, … */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last
}

/** Texts that a spreadsheet might interpret as a formula if the sheet is saved as text. Phone numbers and plain numbers are harmless. */
const RISKY = /^(?:[=@\t\r]|[+-](?![\d ()-]*$))/

/** A text that stays a text in every program: a leading apostrophe if it could be executed. */
function safeText(text: string): string {
  return RISKY.test(text) ? `'${text}` : text
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Characters that XML does not allow: control characters, half surrogate pairs. */
const UNWRITABLE = /[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu
const MAX_LENGTH = 32_767

function escapeXml(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(UNWRITABLE, '')
    .replace(/[&<>]/g, (sign) => XML[sign] ?? sign)
}
