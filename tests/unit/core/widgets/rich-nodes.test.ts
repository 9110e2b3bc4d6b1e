import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GROUP_FROM, groupNodes } from '../../../../runtime/core/widgets/rich-nodes.ts'

const plain = (n: number) => n >= 0

describe('grouping of a long text', () => {
  it('leaves fifty nodes ungrouped', () => {
    const nodes = Array.from({ length: GROUP_FROM }, (_, i) => i)
    expect(groupNodes(nodes, plain)).toBe(nodes)
  })

  it('keeps the order, groups at least five nodes, and skips nodes that need their own part', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 20 }), { minLength: 51, maxLength: 120 }), (nodes) => {
        const grouped = groupNodes(nodes, plain)
        expect(grouped.flat()).toEqual(nodes)
        for (const part of grouped) {
          if (!Array.isArray(part)) continue
          expect(part.length).toBeGreaterThanOrEqual(5)
          expect(part.every(plain)).toBe(true)
        }
      }),
    )
  })

  it('combines a thousand paragraphs into one node', () => {
    expect(
      groupNodes(
        Array.from({ length: 1000 }, (_, i) => i),
        plain,
      ),
    ).toHaveLength(1)
  })
})
