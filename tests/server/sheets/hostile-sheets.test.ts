import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readSheet } from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRows } from '../../../src/server/flows/sheets/read-sheet.ts'
import { createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { Refusal } from '../../../src/server/kernel/text/envelope.ts'
import { xlsxFile } from '../../support/xlsx-file.ts'

const MAX_ROWS = 5_000
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const TITLE = `<row r="1">${cell('A1', '客户名称')}</row>`
const MANY = '文件内容过多，请删除多余的内容或拆成几个文件'
const NO_SHEET = '无法读取这个文件，请上传 xlsx 或 csv 表格'
const ROWS = '一个文件最多 5000 行，请拆成几个文件'
const COLUMNS = '一个文件最多 100 列，请删除多余的列'
const LONG = '有单元格超过 32767 个字，请修改后重新上传'

/** 16 MB and more of one character: a few KB compressed. */
const mass = (sign: string, mb = 16) => sign.repeat(Math.floor((mb * 1024 * 1024) / sign.length))

/** The archive with every part declared as that large: four bytes of each entry in its directory. */
function declaring(size: number, archive: Buffer): Buffer {
  const entry = Buffer.from('PK\x01\x02', 'latin1')
  for (let at = archive.indexOf(entry); at >= 0; at = archive.indexOf(entry, at + 4))
    archive.writeUInt32LE(size, at + 24)
  return archive
}

describe('a hostile sheet', () => {
  // The first thread started from the sources loads its compiler; only the reading is measured.
  beforeAll(() => readRows('warm', xlsxFile({ rows: TITLE }), MAX_ROWS), 60_000)

  it.each<[string, () => Buffer, number, string]>([
    [
      'whose two cells stand at the ends of the world',
      () =>
        xlsxFile({
          rows: `<row r="1">${cell('A1', 'x')}</row><row r="1048576">${cell('XFD1048576', 'x')}</row>`,
        }),
      422,
      COLUMNS,
    ],
    [
      'with a cell in the last row',
      () => xlsxFile({ rows: `${TITLE}<row r="1048576">${cell('A1048576', 'x')}</row>` }),
      422,
      ROWS,
    ],
    [
      'with a cell in row 5,002',
      () => xlsxFile({ rows: `${TITLE}<row r="5002">${cell('A5002', 'x')}</row>` }),
      422,
      ROWS,
    ],
    [
      'with a cell in the hundred and first column',
      () => xlsxFile({ rows: `<row r="1">${cell('CW1', 'x')}</row>` }),
      422,
      COLUMNS,
    ],
    [
      'of 16 MB of blanks in a cell',
      () => xlsxFile({ rows: `<row r="1">${cell('A1', mass(' '))}</row>` }),
      422,
      LONG,
    ],
    [
      'of 16 MB of blanks in a shared text',
      () => xlsxFile({ rows: TITLE, shared: `<si><t>${mass(' ')}</t></si>` }),
      422,
      LONG,
    ],
    [
      'with one long text in half a million cells',
      () =>
        xlsxFile({
          shared: `<si><t>${'长'.repeat(32_000)}</t></si>`,
          rows: Array.from(
            { length: MAX_ROWS },
            (_, n) => `<row r="${n + 1}">${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`,
          ).join(''),
        }),
      422,
      MANY,
    ],
    ['that unpacks to more than 60 MB', () => xlsxFile({ rows: TITLE + mass('<row/>', 62) }), 422, MANY],
    [
      'that unpacks to more than 60 MB and declares less',
      () => declaring(1_000, xlsxFile({ rows: TITLE + mass(' ', 62) })),
      422,
      MANY,
    ],
    ['with five million shared texts', () => xlsxFile({ rows: TITLE, shared: mass('<si/>', 25) }), 422, MANY],
    [
      'of tags that stand in each other, millions deep',
      () => xlsxFile({ sheet: mass('<a>') }),
      415,
      NO_SHEET,
    ],
    ['of one attribute of 16 MB', () => xlsxFile({ rows: `<row r="${mass('1')}"/>` }), 415, NO_SHEET],
    ['with entities of its own', () => xlsxFile({ sheet: laughs() }), 415, NO_SHEET],
    [
      'without a sheet',
      () =>
        xlsxFile({
          more: { 'xl/workbook.xml': '<workbook/>', 'xl/_rels/workbook.xml.rels': '<Relationships/>' },
        }),
      415,
      NO_SHEET,
    ],
    [
      'whose cell has no place',
      () => xlsxFile({ rows: '<row r="1"><c r="AAAA1"><v>1</v></c></row>' }),
      415,
      NO_SHEET,
    ],
    ['that is no text', () => xlsxFile({ sheet: Buffer.from([0xff, 0xfe, 0x3c, 0x00]) }), 415, NO_SHEET],
    ['that is cut off', () => xlsxFile({ rows: TITLE }).subarray(0, 300), 415, NO_SHEET],
    ['that is no archive', () => Buffer.alloc(5 * 1024 * 1024, 'PK'), 415, NO_SHEET],
    ['of nothing', () => Buffer.alloc(0), 415, NO_SHEET],
    ['of blanks', () => Buffer.from(mass(' \n', 5)), 415, NO_SHEET],
    ['of a million rows of texts', () => Buffer.from(mass('a,b\n', 5)), 422, ROWS],
    ['of a million columns of texts', () => Buffer.from('a,'.repeat(1_000_000)), 422, COLUMNS],
    ['of a million empty columns and one', () => Buffer.from(`${','.repeat(900_000)}x`), 422, COLUMNS],
    ['of a million rows without a sign', () => Buffer.from(`a${'\n'.repeat(1_000_000)}b`), 422, ROWS],
    ['whose quote is never closed', () => Buffer.from(`a,"${mass('b\n')}`), 422, LONG],
    ['of 16 MB of quotes', () => Buffer.from(`a\n${mass('"')}`), 422, LONG],
    ['of one text of 16 MB', () => Buffer.from(mass('长')), 422, LONG],
    ['whose titles are 16 MB of quotes in pairs', () => Buffer.from(`"${mass('""')}`), 422, LONG],
    [
      'with texts of ten million characters',
      () => Buffer.from(`${`${'a'.repeat(30_000)},`.repeat(30)}\n`.repeat(20)),
      422,
      MANY,
    ],
    ['of texts with a NUL', () => Buffer.from('a,b\n1,\0\n'), 415, NO_SHEET],
    ['of texts in no encoding', () => Buffer.from([0x61, 0x2c, 0xff, 0xff, 0x0a]), 415, NO_SHEET],
  ])('%s is refused with a message, and the server continues meanwhile', async (_, make, code, message) => {
    const content = make()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const begin = performance.now()

    const error = await readRows('t', content, MAX_ROWS).catch((one: unknown) => one)

    delay.disable()
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ code, message })
    expect(performance.now() - begin).toBeLessThan(21_000)
    // A blocked event loop would be blocked for as long as the reading takes.
    expect(delay.max / 1e6).toBeLessThan(1_000)
  })

  it('of one tenant does not delay the sheets of another', async () => {
    const slow = xlsxFile({ rows: TITLE + mass('<row><c/></row>', 4) })
    const order: string[] = []
    const theirs = Array.from({ length: 3 }, () =>
      readRows('bad', slow, MAX_ROWS).then(() => order.push('bad')),
    )

    await readRows('good', xlsxFile({ rows: TITLE }), MAX_ROWS)
    order.push('good')
    await Promise.all(theirs)

    expect(order.indexOf('good')).toBeLessThanOrEqual(1)
  })

  it('is refused, not queued forever, if one tenant has too many at once', async () => {
    const file = xlsxFile({ rows: TITLE })

    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () => readRows('many', file, MAX_ROWS)),
    )

    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(3)
    expect(refused[0]).toMatchObject({ reason: { code: 429, message: '正在读取的文件较多，请稍后重试' } })
  })
})

describe('a sheet of texts', () => {
  const rowsOf = async (content: string | Buffer) =>
    (await readRows('t', Buffer.from(content as string), MAX_ROWS)).map(({ at, cells }) => [at, ...cells])

  it.each([
    ['commas', '名称,电话\r\n甲,138\r\n'],
    ['semicolons', '名称;电话\n甲;138'],
    ['tabs', '名称\t电话\r甲\t138\r'],
    ['a mark of its encoding', '\ufeff名称,电话\n甲,138\n'],
    ['a delimiter it names', 'sep=;\r\n名称;电话\r\n甲;138\r\n'],
    ['line ends of all kinds', '名称,电话\r\n甲,138\r\r\n\n'],
    ['quotes', '"名称","电话"\n"甲","138"\n'],
    ['numbers that programs keep as texts', '名称,电话\n甲,="138"\n'],
    ['blanks around', ' 名称 , 电话,,\n甲 ,138 ,\n'],
  ])('with %s is read', async (_, content) => {
    expect(await rowsOf(content)).toEqual([
      [1, '名称', '电话'],
      [2, '甲', '138'],
    ])
  })

  it('keeps quoted delimiters, line breaks and quotes; empty rows count and are omitted', async () => {
    expect(await rowsOf('"名,称";b\n\n"第一行\n第二行";"他说""好"""\n;5" 管\n')).toEqual([
      [1, '名,称', 'b'],
      [3, '第一行\n第二行', '他说"好"'],
      [4, null, '5" 管'],
    ])
  })

  it('is read in the encoding of a Chinese Windows', async () => {
    const gb = Buffer.from([0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0x61, 0x0a, 0x95, 0x32, 0x82, 0x36, 0x2c, 0x31])

    expect(await rowsOf(gb)).toEqual([
      [1, '名称', 'a'],
      [2, '𠀀', '1'],
    ])
  })

  it('of 5,000 rows and 100 columns is read completely', async () => {
    const line = Array.from({ length: 100 }, (_, at) => `列${at}`).join(',')

    const rows = await readRows('t', Buffer.from(`${line}\n`.repeat(MAX_ROWS + 1)), MAX_ROWS)

    expect([rows.length, rows.at(-1)?.cells.length]).toEqual([MAX_ROWS + 1, 100])
  })
})

describe('a sheet written by a person', () => {
  it('of 5,000 rows and 100 columns is read completely', async () => {
    const sheet = createSheetWriter([20])
    for (let n = 0; n <= MAX_ROWS; n += 1) sheet.row(Array.from({ length: 100 }, (_, at) => `${n}/${at}`))

    const rows = await readRows('t', sheet.end(), MAX_ROWS)

    expect(rows.length).toBe(MAX_ROWS + 1)
    expect([rows[0]?.cells[0], rows.at(-1)?.cells.at(-1), rows.at(-1)?.at]).toEqual(['0/0', '5000/99', 5001])
  })

  it('has the same values as in another reader: texts, numbers, dates, results of formulas', async () => {
    const file = xlsxFile({
      styles:
        '<numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="171" formatCode="0&quot;个day&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="170" applyNumberFormat="1"/><xf numFmtId="171" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs>',
      shared:
        '<si><t>标题</t></si><si><r><t>富</t></r><r><t xml:space="preserve">文本 </t></r><rPh sb="0" eb="1"><t>ふ</t></rPh></si><si><t>a &amp; b &lt;c&gt; &#x4E2D;</t></si>',
      rows: `<row r="1" spans="1:9"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="str"><f>A1&amp;"x"</f><v>标题x</v></c><c r="E1"/><c r="F1" s="1"/></row>
        <row r="3"><c r="A3" s="1"><v>45000</v></c><c r="B3" s="2"><v>45000.5</v></c><c r="C3" s="3"><v>12</v></c><c r="D3"><f>1+1</f><v>2</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" s="4"><v>44999.25</v></c><c r="G3"><v>0.1</v></c><c r="H3"><v>13800138000</v></c><c r="I3" t="b"><v>0</v></c></row>`,
    })

    const [theirHead, , theirs] = await readSheet(file)
    const ours = await readRows('t', file, MAX_ROWS)

    expect(ours.map(({ at }) => at)).toEqual([1, 3])
    expect(ours[0]?.cells).toEqual(theirHead?.slice(0, 4))
    expect(ours[1]?.cells).toEqual(theirs)
  })

  it('counts its days from 1904 if it declares so, and accepts tags with a prefix and cells without a position', async () => {
    const ns = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    const file = xlsxFile({
      styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
      sheet: `<x:worksheet ${ns}><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>一</x:t></x:is></x:c><x:c s="0"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      more: {
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
    })

    expect(await readRows('t', file, MAX_ROWS)).toEqual([
      { at: 1, cells: ['一', new Date('1904-01-02T00:00:00Z')] },
    ])
  })

  it('with styled empty cells everywhere is read only as far as it is filled', async () => {
    const empty = '<row r="900000"><c r="XFD900000" s="1"/></row>'

    expect(await readRows('t', xlsxFile({ rows: TITLE + empty }), MAX_ROWS)).toEqual([
      { at: 1, cells: ['客户名称'] },
    ])
  })
})

/** Nested entities, which a careless parser would expand to gigabytes. */
function laughs(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
  return `<!DOCTYPE worksheet [<!ENTITY l0 "ha">${lines}]><worksheet><sheetData><row><c t="inlineStr"><is><t>&l9;</t></is></c></row></sheetData></worksheet>`
}
