import type { Engine } from '../../../core/engine.ts'
import { saveFile } from '../../kit/save-file.ts'
import { shownCharts } from '../shown-charts.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Saves the charts of a page as a picture (`png`) or a workbook (`xlsx`).
 * @returns false if the page has none
 */
export async function saveCharts(engine: Engine, kind: string, title: string): Promise<boolean> {
  const charts = shownCharts(engine)
  if (charts.length === 0) return false
  if (kind === 'xlsx') {
    const { workbookOf } = await import('./workbook.ts')
    saveFile(new Blob([workbookOf(charts)], { type: XLSX }), `${title}.xlsx`)
  } else {
    const { pictureOf } = await import('./picture.ts')
    saveFile(
      await pictureOf(charts, title, document.querySelector('.vf-page') ?? document.body),
      `${title}.png`,
    )
  }
  return true
}
