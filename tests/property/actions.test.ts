import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { failure } from '../../runtime/core/errors.ts'
import type { Json } from '../../runtime/core/json.ts'
import { aPage, aWidget, registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'

/** An action list as authors write it, reduced to what affects its order. */
type Act =
  | { readonly do: 'toast'; readonly text: string; readonly if?: boolean }
  | {
      readonly do: 'when'
      readonly if: boolean
      readonly then: readonly Act[]
      readonly else: readonly Act[]
    }
  | {
      readonly do: 'request'
      readonly dsName: 'good' | 'bad'
      readonly silent: true
      readonly then: readonly Act[]
      readonly else?: readonly Act[]
    }

const { list } = fc.letrec<{ list: readonly Act[]; act: Act }>((tie) => ({
  list: fc.array(tie('act'), { maxLength: 4, depthIdentifier: 'acts' }),
  act: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'acts' },
    fc.record(
      { do: fc.constant('toast'), text: fc.constantFrom('甲', '乙', '丙', '丁'), if: fc.boolean() },
      { requiredKeys: ['do', 'text'] },
    ),
    fc.record({ do: fc.constant('when'), if: fc.boolean(), then: tie('list'), else: tie('list') }),
    fc.record(
      {
        do: fc.constant('request'),
        dsName: fc.constantFrom('good', 'bad'),
        silent: fc.constant(true),
        then: tie('list'),
        else: tie('list'),
      },
      { requiredKeys: ['do', 'dsName', 'silent', 'then'] },
    ),
  ) as fc.Arbitrary<Act>,
}))

/** The manual's rule for lists: in order, up to the first failure. @returns false if it stopped */
function told(acts: readonly Act[], say: (text: string) => void): boolean {
  for (const act of acts) {
    if (act.do === 'toast' && act.if !== false) say(act.text)
    if (act.do === 'when' && !told(act.if ? act.then : act.else, say)) return false
    if (act.do !== 'request') continue
    const isGood = act.dsName === 'good'
    const isEnded = told(isGood ? act.then : (act.else ?? []), say)
    if (!isGood || !isEnded) return false
  }
  return true
}

const source = (uniqueName: string) => ({ uniqueName, requestURL: `/${uniqueName}`, requestMethod: 'get' })

it('a list of actions runs in order, follows its branches and stops at the first failure', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (acts) => {
      const world = memoryWorld({
        server: ({ url }) =>
          url === '/good' ? { meta: { code: 200 }, data: 1 } : { ok: false, error: failure('NETWORK') },
      })
      const button = aWidget('button', 'go', { on: { click: acts as unknown as Json } })
      const page = aPage([button], { dataSources: [source('good'), source('bad')] })
      await createEngine({ page, registry, ports: world.ports }).event('go', 'click')

      const expected: string[] = []
      told(acts, (text) => expected.push(text))
      expect(world.toasts.map(({ text }) => text)).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})
