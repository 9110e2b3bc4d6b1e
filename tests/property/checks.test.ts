import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../runtime/core/check/parse-strictly.ts'
import type { Problem } from '../../runtime/core/errors.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { nearestName } from '../../runtime/core/page/nearest-type.ts'
import { COMMON_OPTIONS } from '../../runtime/core/widgets/index.ts'
import { aDocument, aWidget, registry } from '../support/a-page.ts'

const problemsOf = (document: JsonObject): readonly Problem[] => {
  const parsed = parseStrictly(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}

describe('rules that depend on each other', () => {
  const SIZE = 7
  /** Dependencies between fields: by number, the fields whose values its rule reads. */
  const graph = fc.array(fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 3 }), {
    minLength: SIZE,
    maxLength: SIZE,
  })
  const reading = (reads: readonly number[]): JsonObject => ({
    '+': reads.map((i) => ({ var: `form.f${i}` })),
  })

  /** True if no field remains after repeatedly removing those that read only removed ones. */
  const isOrdered = (edges: readonly (readonly number[])[]): boolean => {
    const left = new Set(edges.keys())
    for (let before = -1; before !== left.size; ) {
      before = left.size
      for (const i of left) if ((edges[i] ?? []).every((j) => !left.has(j))) left.delete(i)
    }
    return left.size === 0
  }
  const cyclesIn = (problems: readonly Problem[]): readonly (readonly number[])[] =>
    problems
      .filter(({ code }) => code === 'RULE_CYCLE')
      .map(({ said }) =>
        String(said.message.params.path)
          .split(' → ')
          .map((name) => Number(name.slice(1))),
      )

  it.each([
    ['valueOn', true],
    ['visibleOn', false],
  ] as const)('are reported by %s exactly if there is no order to compute them in', (rule, loops) => {
    fc.assert(
      fc.property(graph, (edges) => {
        const counted = edges.map((reads, i) => (loops ? reads : reads.filter((j) => j !== i)))
        const widgets = edges.map((reads, i) =>
          aWidget('number', `f${i}`, reads.length > 0 ? { [rule]: reading(reads) } : {}),
        )
        const cycles = cyclesIn(problemsOf(aDocument(widgets, { page: {} })))

        expect(cycles.length === 0).toBe(isOrdered(counted))
        for (const cycle of cycles) {
          expect(cycle[0]).toBe(cycle.at(-1))
          for (const [at, from] of cycle.slice(0, -1).entries())
            expect(counted[from]).toContain(cycle[at + 1])
        }
      }),
    )
  })
})

describe('a typo in the name of an option', () => {
  const types = registry
    .list()
    .filter(({ kind, type }) => (kind === 'field' || kind === 'static') && type !== 'unsupported')
  const aSlip = fc
    .tuple(fc.constantFrom(...types), fc.nat(), fc.nat(), fc.constantFrom('drop', 'double', 'swap'))
    .map(([spec, which, where, how]) => {
      const names = Object.keys({ ...COMMON_OPTIONS, ...spec.options }).filter((name) => name.length > 5)
      const name = names[which % names.length] ?? ''
      const at = 1 + (where % (name.length - 2))
      const slipped = {
        drop: name.slice(0, at) + name.slice(at + 1),
        double: name.slice(0, at) + name.slice(at - 1),
        swap: name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2),
      }[how]
      return { type: spec.type, name, slipped, known: Object.keys({ ...COMMON_OPTIONS, ...spec.options }) }
    })
    .filter(({ slipped, known }) => !known.includes(slipped) && !/^on[A-Z]/.test(slipped))

  it('is reported at its position, with an existing name, in our pages and in plain documents', () => {
    fc.assert(
      fc.property(aSlip, fc.boolean(), ({ type, slipped, known }, isOurs) => {
        const document = aDocument([aWidget(type, 'a', { [slipped]: null })], isOurs ? { page: {} } : {})
        const found = problemsOf(document).filter(
          ({ code, at }) => code === 'WORD_UNKNOWN' && !at.endsWith('/label'),
        )

        expect(found).toMatchObject([
          { at: `/widgetList/0/options/${slipped}`, severity: isOurs ? 'error' : 'warning' },
        ])
        const meant = /^did you mean "(.*)"\?$/.exec(found[0]?.hint ?? '')?.[1]
        expect(meant).toBe(nearestName(slipped, known) ?? meant)
        expect(meant).toBeDefined()
      }),
    )
  })

  it('and names that begin with $ are never reported', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.string({ maxLength: 8 }),
        fc.jsonValue({ maxDepth: 1 }),
        (spec, name, value) => {
          const plain = problemsOf(aDocument([aWidget(spec.type, 'a')], { page: {} }))
          const noted = problemsOf(
            aDocument([aWidget(spec.type, 'a', { [`$${name}`]: value as JsonObject })], { page: {} }),
          )

          expect(noted).toEqual(plain)
        },
      ),
      {
        examples: types.map((spec): [(typeof types)[number], string, string] => [
          spec,
          'note',
          'a place is {{ opened',
        ]),
      },
    )
  })
})
