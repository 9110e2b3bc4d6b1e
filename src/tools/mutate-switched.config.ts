import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { mergeConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import config from './mutate.config.ts'

/** Minimum share of killed mutants; that of Stryker is in mutate.json. */
const GOAL = 0.85
const quiet = { isDebugEnabled: () => false, debug: () => {}, info: () => {} }
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sources = new Map(
  (process.env.MUTATE_FILES ?? '')
    .split(' ')
    .map((file) => [join(ROOT, file), readFileSync(join(ROOT, file), 'utf8')]),
)
const { files, mutants } = await new Instrumenter(
  quiet as unknown as ConstructorParameters<typeof Instrumenter>[0],
).instrument(
  [...sources].map(([name, content]) => ({ name, content, mutate: true })),
  { plugins: null, excludedMutations: [], ignorers: [] },
)

/** Lists the surviving mutants, and fails below the goal. */
const reporter: Reporter = {
  onTestRunEnd(modules) {
    const metas = modules
      .flatMap(({ children }) => [...children.allTests()])
      .flatMap((test) => test.meta().mutants ?? [])
    const idsOf = (key: 'ran' | 'killed' | 'loaded') => new Set(metas.flatMap((meta) => meta[key]))
    const [ran, killed, loaded] = [idsOf('ran'), idsOf('killed'), idsOf('loaded')]
    for (const { id, fileName, location, mutatorName, replacement } of mutants) {
      if (killed.has(id)) continue
      const { start, end } = location
      const why = ran.has(id) ? 'survived' : loaded.has(id) ? 'runs at load' : 'runs in no test'
      const lines = (sources.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1)
      const text = [...lines.slice(0, -1), lines.at(-1)?.slice(0, end.column)].join('\n').slice(start.column)
      console.log(
        `${why}: ${relative(ROOT, fileName)}:${start.line + 1} ${mutatorName}\n- ${text}\n+ ${replacement}`,
      )
    }
    const switched = mutants.filter(({ id }) => !loaded.has(id) || ran.has(id))
    const score = switched.filter(({ id }) => killed.has(id)).length / switched.length
    console.log(`${switched.length} of ${mutants.length} mutants tried, ${(100 * score).toFixed(1)} % killed`)
    if (!(score >= GOAL)) process.exitCode = 1
  },
}

/** Runs the tests of a room as mutate.config.ts does, with the mutants switched on one after another in one process. */
export default mergeConfig(config, {
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id: string) => files.find(({ name }) => name === id)?.content,
    },
  ],
  test: {
    runner: fileURLToPath(new URL('./mutate-runner.ts', import.meta.url)),
    reporters: ['default', reporter],
  },
})
