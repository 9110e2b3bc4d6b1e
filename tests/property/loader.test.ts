import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { printPage } from '../../runtime/core/page/print.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { long } from '../support/long.ts'
import { memoryWorld } from '../support/memory-ports.ts'

/** The number of documents; fast-check chooses the seeds, so that a failure shrinks to one of them and can be reproduced. */
const SEEDS = 1_000
const PER_SEED = 100
const types = registry.list().map(({ type }) => type)
const options = [...new Set(registry.list().flatMap((spec) => Object.keys(spec.options)))]
const { ports } = memoryWorld()

it(
  '100,000 random documents parse to pages or problems, and pages open and are exported unchanged',
  long,
  () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed)
        for (let i = 0; i < PER_SEED; i += 1) {
          const document = aRandomDocument(random)
          const parsed = parsePage(document, { registry })
          if (!parsed.ok) {
            if (parsed.problems.length === 0) throw new Error('refused without a problem')
          } else if (i % 20 === 0) {
            expect(JSON.stringify(printPage(parsed.page))).toBe(JSON.stringify(document))
            const engine = createEngine({ page: parsed.page, registry, ports })
            for (const key of parsed.page.nodes.keys()) engine.node(key)
            engine.dispose()
          }
        }
      }),
      { numRuns: SEEDS },
    )
  },
)

type Random = (below: number) => number

/** A small fast generator (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T

const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  'a',
  '__proto__',
  'constructor',
  '{{ a | nope:',
  '{{ form.a | date:YYYY }}',
  '/(a+)+$/',
  '[',
  [],
  {},
  [null],
  [[[[]]]],
  { var: 'form.a' },
  { '==': [{ var: 'form.b' }, 1] },
  { nope: [] },
  { click: [{ do: 'toast', text: 'x' }] },
  { click: [{ do: 'nope' }] },
  { click: 'x' },
]
const NAMES = ['a', 'b', 'c', '', '0', '__proto__', 'toString', '中文', 'a.b', 'a/b']

/** Mostly well-formed: odd values replace parts of the document. */
function aRandomDocument(random: Random): unknown {
  if (random(50) === 0) return pick(random, ODD)
  const document: Record<string, unknown> = {
    widgetList: aList(random, 2),
    formConfig: random(20) === 0 ? pick(random, ODD) : aConfig(random),
  }
  if (random(30) === 0) delete document[pick(random, ['widgetList', 'formConfig'])]
  return document
}

function aConfig(random: Random): unknown {
  const config: Record<string, unknown> = { jsonVersion: pick(random, [undefined, -2, -3, 3, 'x']) }
  if (random(6) === 0) config.dataSources = [{ uniqueName: pick(random, NAMES), auto: pick(random, ODD) }]
  if (random(6) === 0)
    config.page = { title: pick(random, ODD), on: pick(random, ODD), params: pick(random, ODD) }
  if (random(10) === 0) config.dynamicLogicList = pick(random, ODD)
  return config
}

function aList(random: Random, depth: number): unknown {
  if (random(40) === 0) return pick(random, ODD)
  return Array.from({ length: random(depth + 1) }, () => aWidgetAt(random, depth - 1))
}

function aWidgetAt(random: Random, depth: number): unknown {
  if (random(40) === 0) return pick(random, ODD)
  const type =
    random(30) === 0 ? pick(random, ['moon', 'm-input', 'inptu', '', 'vf-dialog']) : pick(random, types)
  const own: Record<string, unknown> = { name: pick(random, NAMES) }
  for (let i = random(4); i > 0; i -= 1) own[pick(random, options)] = pick(random, ODD)
  if (random(8) === 0) own[pick(random, ['visibleOn', 'valueOn', 'on', 'bind', 'dict'])] = pick(random, ODD)
  const widget: Record<string, unknown> = { type, options: random(60) === 0 ? pick(random, ODD) : own }
  if (random(2) === 0) widget.formItemFlag = true
  if (depth > 0 && random(2) === 0)
    widget[pick(random, ['widgetList', 'cols', 'tabs', 'rows'])] = aList(random, depth)
  return widget
}
