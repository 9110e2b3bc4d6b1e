import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import budgets from '../../src/bench/budgets.json'
import { withoutDocs } from '../../src/tools/without-docs.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT = budgets.gzipKb.runtime * 1024
/** Additional files for wide windows; phones never fetch them. */
const DESK_LIMIT = 6 * 1024
const DESK = /runtime\/react\/desk\/(?!cells\/)/
/** Fetched there when the pointer is over an editable row. */
const CELLS_LIMIT = 3 * 1024
const CELLS = /runtime\/react\/desk\/cells\//
/** Screens of their own, fetched with the first page that shows one. */
const SCREENS_LIMIT = 5 * 1024
const SCREENS = /runtime\/react\/(?:agenda\/|board\/|(?:widgets|styles)\/(?:agenda|board)\.)/
/** Fetched by forms on which a record is chosen. */
const CHOOSING_LIMIT = 4 * 1024
const CHOOSING = /runtime\/react\/(?:reference|widgets\/reference|styles\/reference)/
/** Fetched by the pages of roles and people. */
const MATRIX_LIMIT = 7 * 1024
const MATRIX =
  /runtime\/react\/(?:matrix\/|side-tree\/|(?:widgets|styles)\/(?:(?:choice-)?matrix|side-tree)\.)/
/** The checker for documents that no server has checked: fetched by the pages that show one (a preview, the workbench). */
const JUDGING_LIMIT = 8 * 1024
const JUDGING =
  /runtime\/core\/(?:check\/|parse-page\.|logic\/check-rule\.|page\/(?:document-validator|structure|parsing|read-json|json-fault|nearest-type)\.)|runtime\/react\/widgets\/vform-preview\./
/** antd-mobile with its dependencies, React, and the libraries of charts, codes and boards, fetched when one becomes visible. */
const SHARE_OF_OTHERS =
  /node_modules\/(antd-mobile|react|scheduler|@react-spring|@use-gesture|ahooks|rc-|@rc-component|@floating-ui|lodash|tslib|@babel|echarts|zrender|uqr|@dnd-kit)/

it(`the runtime with all widgets takes at most ${budgets.gzipKb.runtime} KB gzip without antd-mobile, React and scripts; a desk adds 6, boards and calendars 5, record pickers 4, matrix and tree 7, document checks 8`, async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('NODE_ENV', 'production') // as shipped: in a test, React's plugin adds its debugging helpers
  const made = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [react(), withoutDocs()],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(ROOT, 'runtime/react/page/page-view.tsx'),
        preserveEntrySignatures: 'allow-extension',
        output: {
          codeSplitting: {
            groups: [
              { name: 'others', test: SHARE_OF_OTHERS, priority: 2 },
              {
                name: 'runtime',
                test: (id) =>
                  ![DESK, CELLS, SCREENS, CHOOSING, MATRIX, JUDGING].some((part) => part.test(id)),
                priority: 1,
              },
              { name: 'desk', test: DESK },
              { name: 'cells', test: CELLS },
              { name: 'screens', test: SCREENS },
              { name: 'choosing', test: CHOOSING },
              { name: 'matrix', test: MATRIX },
              { name: 'judging', test: JUDGING, priority: 2, includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  })) as Rolldown.RolldownOutput

  const sizeOf = (isCounted: (name: string) => boolean): number =>
    made.output
      .filter((file) => isCounted(file.fileName))
      .map((file) => gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0)
  const bytes = sizeOf((name) => !/\b(?:others|desk|cells|screens|choosing|matrix|judging)\b/.test(name))
  const screens = sizeOf((name) => /\bscreens\b/.test(name))
  const desk = sizeOf((name) => /\bdesk\b/.test(name))
  const cells = sizeOf((name) => /\bcells\b/.test(name))
  const matrix = sizeOf((name) => /\bmatrix\b/.test(name))
  const judging = sizeOf((name) => /\bjudging\b/.test(name))
  const choosing = sizeOf((name) => /\bchoosing\b/.test(name))

  console.log(
    `the runtime with all widgets: ${(bytes / 1024).toFixed(1)} KB gzip, ${(desk / 1024).toFixed(1)} at a desk, ${(cells / 1024).toFixed(1)} for its cells, ${(screens / 1024).toFixed(1)} for boards and calendars, ${(choosing / 1024).toFixed(1)} to choose records, ${(matrix / 1024).toFixed(1)} for a matrix and a tree, ${(judging / 1024).toFixed(1)} to judge a document`,
  )
  expect(bytes).toBeGreaterThan(LIMIT / 3)
  expect(bytes).toBeLessThan(LIMIT)
  expect(screens).toBeGreaterThan(SCREENS_LIMIT / 3)
  expect(screens).toBeLessThan(SCREENS_LIMIT)
  expect(desk).toBeGreaterThan(DESK_LIMIT / 3)
  expect(desk).toBeLessThan(DESK_LIMIT)
  expect(cells).toBeGreaterThan(CELLS_LIMIT / 3)
  expect(cells).toBeLessThan(CELLS_LIMIT)
  expect(choosing).toBeGreaterThan(CHOOSING_LIMIT / 3)
  expect(choosing).toBeLessThan(CHOOSING_LIMIT)
  expect(judging).toBeGreaterThan(JUDGING_LIMIT / 3)
  expect(judging).toBeLessThan(JUDGING_LIMIT)
  expect(matrix).toBeGreaterThan(MATRIX_LIMIT / 3)
  expect(matrix).toBeLessThan(MATRIX_LIMIT)
})
