import { expect, it } from 'vitest'
import { CATALOGUE } from '../../../runtime/core/widgets/index.ts'
import words from '../../../schemas/text/zh-hans.workbench.json'

const specs = Object.values(CATALOGUE).flat()

it('every widget and every option that can be set is called something in Chinese on the panel', () => {
  const codes = specs.flatMap(({ type, options }) => [
    `workbench.widget.${type}`,
    ...Object.keys(options).map((name) => `workbench.option.${name}`),
  ])

  expect(
    [...new Set(codes)].filter(
      (code) => !/[\u4e00-\u9fff]/.test((words as Record<string, string>)[code] ?? ''),
    ),
  ).toEqual([])
})
