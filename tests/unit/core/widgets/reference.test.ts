import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'
import { CHOICES, NAMED } from '../../../../runtime/core/widgets/option-sets.ts'
import { createWidgetViews } from '../../../../runtime/react/widgets/index.ts'

const manual = readFileSync(new URL('../../../../runtime/PAGE-FORMAT.md', import.meta.url), 'utf8')
const chapter = manual.slice(manual.indexOf('## Widgets'))

describe('the widget chapter of the page format', () => {
  it.each(
    createRegistry()
      .list()
      .map((spec) => [spec.type, spec] as const),
  )('contains %s', (type, spec) => {
    const start = chapter.search(new RegExp(`^\`${type}\`[.,]`, 'm'))
    expect(start).toBeGreaterThan(-1)
    const section = chapter.slice(start).split(/\n(?=`[\w-]+`[.,]|#)/)[0] ?? ''

    for (const event of spec.events) expect(section).toContain(`\`${event}\``)
    if (spec.kind === 'page') {
      for (const [name, option] of Object.entries(spec.options)) {
        const common = name in NAMED || name in CHOICES
        if (option.doc && !common) expect(section).toContain(`| ${name} |`)
      }
    }
  })
})

describe('the views', () => {
  it('exist for every type of the catalogue, and for no other type', () => {
    const types = createRegistry()
      .list()
      .map((spec) => spec.type)

    expect([...createWidgetViews().list()].sort()).toEqual([...types].sort())
  })
})
