import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layers } from '../../runtime/react/layers/layers.ts'
import { createNavigation } from '../../src/app/navigation/navigation.ts'
import { aliveIn, topOf } from '../../src/app/navigation/page-stack.ts'
import { createRouteTable, formatPlace } from '../../src/app/navigation/routes.ts'
import { createSideBySide } from '../../src/app/navigation/side-by-side.ts'
import { memoryHistory } from '../support/memory-history.ts'
import { type Step, sightOf, startWalk, type WalkState, walk } from '../support/stack-model.ts'

const ROUTES = {
  '/': 'fixed',
  '/me': 'fixed',
  '/list': 'chosen',
  '/tools': 'choice',
  '/detail': 'none',
  '/form': 'none',
} as const
const KEEPER = '/form?id=1'
const WORLD = { routes: ROUTES, keepers: [KEEPER] }
const table = createRouteTable(
  Object.entries(ROUTES).map(([path, kind]) => ({
    path,
    title: path,
    tabBar: kind === 'chosen' ? 'choice' : kind,
  })),
)

const url = fc.constantFrom(
  '/',
  '/me',
  '/list',
  '/tools',
  '/detail?id=1',
  '/detail?id=2',
  '/form',
  KEEPER,
  '/nowhere',
)
const known = url.filter((one) => one !== '/nowhere')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('navigateTo' as const), url }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('redirectTo' as const, 'reLaunch' as const, 'switchTab' as const),
      url,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('type' as const), url: known }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('back' as const), delta: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('browser' as const), delta: fc.constantFrom(-1, -1, 1, -2, 2) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'reload' as const }) },
)

it('random walks open the pages of the simple model, history, reloads and vetoes included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const app = anApp()
      let expected = startWalk()
      for (const one of steps) {
        await app.take(one)
        expected = walk(expected, one, WORLD)
        expect(app.state()).toEqual(expected)
        expect(app.shownUrl()).toBe(sightOf(expected).url)
      }
      app.end()
    }),
    { numRuns: 150 },
  )
}, 60_000)

/** The real navigation over a history in memory. */
function anApp() {
  const history = memoryHistory()
  let made = 0
  let time = 0
  const start = (restored: Parameters<typeof createNavigation>[0]['restored'] = []) => {
    const nav = createNavigation({
      routes: table,
      history,
      now: () => {
        time += 1_000
        return time
      },
      newId: () => `p${++made}`,
      chosenTabs: () => ['/list'],
      layers,
      sideBySide: createSideBySide(table, () => false),
      guard: () => null,
      askBack: async (id) => {
        const entry = nav.stack().entries.find((one) => one.id === id)
        return entry !== undefined && formatPlace(entry) === KEEPER
      },
      homePath: '/',
      restored,
    })
    return nav
  }
  let nav = start()
  return {
    async take(one: Step) {
      if (one.act === 'reload') {
        const { entries } = nav.stack()
        nav.dispose()
        nav = start(entries)
      } else if (one.act === 'type') history.type(one.url)
      else if (one.act === 'browser') history.go(one.delta)
      else if (one.act === 'back') await nav.back(one.delta)
      else await nav.move(one.act, one.url)
      await settled()
    },
    state(): WalkState {
      const { entries, kept } = nav.stack()
      return {
        opened: entries.map((entry) => ({ url: formatPlace(entry), at: entry.index })),
        kept: kept.map(formatPlace),
        history: history.entries(),
      }
    },
    shownUrl: () => {
      const ids = aliveIn(nav.stack()).map((entry) => entry.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(history.mark()?.id).toBe(topOf(nav.stack()).id)
      return history.url()
    },
    end: () => nav.dispose(),
  }
}

/** A step of the history arrives later, and a veto takes another step. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0))
}
