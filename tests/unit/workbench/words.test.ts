import { expect, it } from 'vitest'
import { HOOKS } from '../../../runtime/core/hooks/hook-names.ts'
import { CATALOGUE } from '../../../runtime/core/widgets/index.ts'
import words from '../../../schemas/text/zh-hans.workbench.json'

const specs = Object.values(CATALOGUE).flat()

it('every widget and every settable option has a Chinese label in the panel', () => {
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

it('every hook has a Chinese label beside its name', () => {
  const said = [...Object.keys(HOOKS), 'functions', 'cssCode'].map(
    (name) => (words as Record<string, string>)[`workbench.option.${name}`] ?? name,
  )

  expect(said.filter((word) => !/[\u4e00-\u9fff]/.test(word))).toEqual([])
})
