import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { aPage, aSubForm, aWidget, registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'

type Row = { name: Json; qty: Json }
type Step =
  | { readonly act: 'add' }
  | { readonly act: 'insert' | 'delete'; readonly at: number }
  | { readonly act: 'type'; readonly at: number; readonly text: string }
  | { readonly act: 'count'; readonly at: number; readonly qty: number }
  | { readonly act: 'load'; readonly rows: readonly Row[] }
  | { readonly act: 'reset' }

const DEFAULTS: Row = { name: null, qty: 1 }
const row: fc.Arbitrary<Row> = fc.record({ name: fc.string({ maxLength: 4 }), qty: fc.nat({ max: 9 }) })
const at = fc.nat({ max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ act: 'add' }),
  fc.record({ act: fc.constantFrom('insert' as const, 'delete' as const), at }),
  fc.record({ act: fc.constant('type' as const), at, text: fc.string({ maxLength: 4 }) }),
  fc.record({ act: fc.constant('count' as const), at, qty: fc.nat({ max: 9 }) }),
  fc.record({ act: fc.constant('load' as const), rows: fc.array(row, { maxLength: 4 }) }),
  fc.constant<Step>({ act: 'reset' }),
)
const page = (showBlankRow: boolean) =>
  aPage([
    aSubForm(
      'lines',
      [aWidget('input', 'name', { required: true }), aWidget('number', 'qty', { defaultValue: 1 })],
      {
        showBlankRow,
      },
    ),
  ])

describe('a sub-form after any sequence of operations', () => {
  it('equals a plain array', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 30 }), (blank, steps) => {
        const engine = anEngine(blank)
        let plain: Row[] = blank ? [DEFAULTS] : []

        for (const each of steps) {
          plain = expected(plain, each, blank)
          take(engine, each)
        }

        expect(engine.values().lines).toEqual(plain)
      }),
    )
  })

  it('gives each row its own id, and keeps it while rows are added and removed around it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const engine = anEngine(true)
        const used = new Set<string>()
        let before = ids(engine)

        for (const each of steps) {
          take(engine, each)
          const now = ids(engine)
          expect(new Set(now).size).toBe(now.length)
          for (const id of now) expect(before.includes(id) || !used.has(id)).toBe(true)
          for (const id of now) used.add(id)
          if (each.act === 'insert' || each.act === 'add' || each.act === 'delete')
            expect(now.filter((id) => before.includes(id))).toEqual(before.filter((id) => now.includes(id)))
          before = now
        }
      }),
    )
  })

  it('finds every field by its row and by its reference, and knows its position', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const engine = anEngine(true)
        for (const each of steps) take(engine, each)

        for (const [i, id] of ids(engine).entries()) {
          const key = engine.find(`lines.${i}.name`)
          expect(key).toBe(engine.find(`name@row${id}`))
          expect(engine.node(key ?? '').address).toBe(`lines.${i}.name`)
        }
      }),
    )
  })

  it('reports each row without a name, at its field, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const engine = anEngine(true)
        for (const each of steps) take(engine, each)

        const faults = await engine.validate()

        const rows = engine.values().lines as unknown as Row[]
        const empty = rows.flatMap(({ name }, i) => (name === null || name === '' ? [`lines.${i}.name`] : []))
        expect(faults.map(({ address }) => address)).toEqual(empty)
        for (const [i] of rows.entries()) {
          const shown = engine.node(engine.find(`lines.${i}.name`) ?? '').error !== null
          expect(shown).toBe(empty.includes(`lines.${i}.name`))
        }
      }),
      { numRuns: 50 },
    )
  })
})

function anEngine(showBlankRow: boolean): Engine {
  return createEngine({ page: page(showBlankRow), registry, ports: memoryWorld().ports })
}

const ids = (engine: Engine): readonly string[] => (engine.node('lines').rows ?? []).map(({ id }) => id)

function take(engine: Engine, step: Step): void {
  const count = ids(engine).length
  const field = (at: number, name: string) => engine.find(`lines.${at % count}.${name}`) ?? ''
  if (step.act === 'add') engine.addRow('lines')
  else if (step.act === 'insert') engine.addRow('lines', step.at % (count + 1))
  else if (step.act === 'load') engine.setValues({ lines: step.rows as unknown as readonly JsonObject[] })
  else if (step.act === 'reset') engine.reset()
  else if (count === 0) return
  else if (step.act === 'delete') engine.removeRow('lines', step.at % count)
  else if (step.act === 'type') engine.change(field(step.at, 'name'), step.text)
  else if (step.act === 'count') engine.change(field(step.at, 'qty'), step.qty)
}

function expected(rows: Row[], step: Step, blank: boolean): Row[] {
  switch (step.act) {
    case 'add':
      return [...rows, DEFAULTS]
    case 'insert':
      return rows.toSpliced(step.at % (rows.length + 1), 0, DEFAULTS)
    case 'delete':
      return rows.length > 0 ? rows.toSpliced(step.at % rows.length, 1) : rows
    case 'type':
      return rows.map((one, i) => (i === step.at % rows.length ? { ...one, name: step.text } : one))
    case 'count':
      return rows.map((one, i) => (i === step.at % rows.length ? { ...one, qty: step.qty } : one))
    case 'load':
      return [...step.rows]
    case 'reset':
      return blank ? [DEFAULTS] : []
  }
}
