import { strToU8, type Zippable, zipSync } from 'fflate'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** The parts of a workbook with one sheet, as programs write them; each can be replaced. */
export interface XlsxParts {
  /** The contents of `sheetData`. */
  readonly rows?: string
  /** The whole part, instead of `rows`. */
  readonly sheet?: string | Uint8Array
  /** The contents of `sst`. */
  readonly shared?: string
  /** The contents of `styleSheet`. */
  readonly styles?: string
  readonly more?: Readonly<Record<string, string | Uint8Array>>
}

/** An xlsx file of the given parts. */
export function xlsxFile({ rows = '', sheet, shared = '', styles = '', more = {} }: XlsxParts): Buffer {
  const link = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${LINKS}/${type}" Target="${target}"/>`
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${link(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${link(1, 'worksheet', 'worksheets/sheet1.xml')}${link(2, 'sharedStrings', 'sharedStrings.xml')}${link(3, 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    'xl/worksheets/sheet1.xml':
      sheet ?? `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  }
  const packed: Zippable = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
  )
  return Buffer.from(zipSync(packed, { level: 9 }))
}
