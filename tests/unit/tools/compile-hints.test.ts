import { expect, it } from 'vitest'
import { compileHints } from '../../../src/tools/compile-hints.ts'

const HINT = '//# allFunctionsCalledOnLoad\n'

/** The plugin's output for a file that consists of these modules. */
function built(modules: Readonly<Record<string, number>>): string {
  const { generateBundle } = compileHints()
  if (typeof generateBundle !== 'object') throw new Error('the plugin comes after the others')
  const chunk = {
    type: 'chunk',
    code: 'run()',
    modules: Object.fromEntries(
      Object.entries(modules).map(([id, renderedLength]) => [id, { renderedLength }]),
    ),
  }
  generateBundle.handler.call({} as never, {} as never, { 'a.js': chunk } as never, true)
  return chunk.code
}

it('let the browser compile in advance the chunks that draw pages, and chunks that mostly do', () => {
  expect(built({ '/x/runtime/react/widgets/number.tsx': 10 })).toBe(`${HINT}run()`)
  expect(built({ '/x/node_modules/react-dom/client.js': 60, '/x/src/app/main.ts': 50 })).toBe(`${HINT}run()`)
})

it('leave rarely used code to its first call', () => {
  expect(built({ '/x/node_modules/echarts/core.js': 90, '/x/runtime/react/widgets/chart.tsx': 10 })).toBe(
    'run()',
  )
  expect(built({ '/x/runtime/core/edit/history.ts': 10 })).toBe('run()')
})
