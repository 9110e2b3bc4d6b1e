import { strToU8, zipSync } from 'fflate'
import type { ShownChart } from '../shown-charts.ts'

type Cell = string | number | null

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** Maximum length of a sheet's name, and the characters that are not allowed in it. */
const MAX_NAME = 31
const BARRED = /[[\]:*?/\\]/g

/** Charts as a workbook: one sheet per chart, with numeric cells. */
export function workbookOf(charts: readonly Pick<ShownChart, 'label' | 'data'>[]): Uint8Array<ArrayBuffer> {
  const sheets = charts.map(({ label, data }, at) => ({
    file: `sheet${at + 1}.xml`,
    id: at + 1,
    name: sheetName(label, at, charts),
    rows: [
      ['', ...data.series.map(({ name }) => name)],
      ...(data.labels.length > 0 ? data.labels : [label]).map((name, row): Cell[] => [
        name,
        ...data.series.map(({ values }) => values[row] ?? null),
      ]),
    ],
  }))
  const overrides = sheets.map(
    ({ file }) => `<Override PartName="/xl/worksheets/${file}" ContentType="${TYPES}.worksheet+xml"/>`,
  )
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relations([{ id: 1, type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><sheets>${sheets
      .map(({ name, id }) => `<sheet name="${escaped(name)}" sheetId="${id}" r:id="rId${id}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets.map(({ id, file }) => ({ id, type: 'worksheet', target: `worksheets/${file}` })),
    ),
    ...Object.fromEntries(sheets.map(({ file, rows }) => [`xl/worksheets/${file}`, sheetXml(rows)])),
  }
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, xml]) => [
        name,
        strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`),
      ]),
    ),
  )
}

function relations(
  links: readonly { readonly id: number; readonly type: string; readonly target: string }[],
): string {
  const each = links.map(
    ({ id, type, target }) => `<Relationship Id="rId${id}" Type="${LINKS}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells, at) => `<row r="${at + 1}">${cells.map(cellXml).join('')}</row>`)
  return `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

/** The label of a chart as a valid and unique sheet name. */
function sheetName(label: string, at: number, charts: readonly Pick<ShownChart, 'label'>[]): string {
  const isTwice = charts.some((other, index) => index < at && other.label === label)
  const tail = isTwice || label === '' ? ` ${at + 1}` : ''
  return `${label.replace(BARRED, ' ').slice(0, MAX_NAME - tail.length)}${tail}`.trim()
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes XML and removes characters that a sheet cannot contain. */
const escaped = (text: string): string =>
  Array.from(text, (sign) => (sign < ' ' && sign !== '\n' ? '' : (ENTITIES[sign] ?? sign))).join('')
