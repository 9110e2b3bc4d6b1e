import { expect, it } from 'vitest'
import type { ChartData } from '../../../runtime/core/widgets/chart-data.ts'
import { workbookOf } from '../../../runtime/react/charts/saving/workbook.ts'
import { parseSheet, type ReadRow } from '../../../src/server/flows/sheets/parse-sheet.ts'

const data = (labels: readonly string[], values: readonly (number | null)[]): ChartData => ({
  labels,
  series: [{ name: '金额 <元>', filter: 'money', tone: '', values }],
})

async function firstSheet(book: Uint8Array): Promise<readonly ReadRow[]> {
  const rows: ReadRow[] = []
  await parseSheet(Buffer.from(book), { rows: 100, columns: 10 }, (row) => rows.push(row))
  return rows
}

it('charts are exported to a workbook with numeric cells that equal the page', async () => {
  const book = workbookOf([
    { label: '趋势', data: data(['11-01', '11-02 & "更晚"\u0001', '11-03'], [12.5, null, 0]) },
    { label: '趋势', data: data([], [7]) },
  ])

  expect((await firstSheet(book)).map(({ cells }) => cells)).toEqual([
    [null, '金额 <元>'],
    ['11-01', 12.5],
    ['11-02 & "更晚"'],
    ['11-03', 0],
  ])
})

it('a sheet is named after its chart, within the allowed characters, and its name is unique', async () => {
  const labels = ['输单/原因:[新]', '输单/原因:[新]', '', '很'.repeat(40)]
  const { unzipSync, strFromU8 } = await import('fflate')
  const parts = unzipSync(workbookOf(labels.map((label) => ({ label, data: data(['a'], [1]) }))))
  const names = [...strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array()).matchAll(/sheet name="([^"]*)"/g)]

  expect(names.map(([, name]) => name)).toEqual(['输单 原因  新', '输单 原因  新  2', '3', '很'.repeat(31)])
})
