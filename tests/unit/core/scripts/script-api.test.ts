import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HOOKS } from '../../../../runtime/core/hooks/hook-names.ts'
import { POWERS } from '../../../../runtime/core/scripts/script-api.ts'

const guest = ['prelude', 'refs', 'form', 'net', 'globals', 'calls', 'lock']
  .map((part) =>
    readFileSync(new URL(`../../../../runtime/sandbox/guest/${part}.js`, import.meta.url), 'utf8'),
  )
  .join('\n')
const asked = new Set([...guest.matchAll(/ask\('([\w.]+)'/g)].map(([, name]) => name as string))

describe('the list of powers', () => {
  it('contains every power that the guest files use', () => {
    expect([...asked].filter((name) => !POWERS.has(name))).toEqual([])
  })

  it('contains no unused power', () => {
    const methods = /^(form|field|subForm|container)\./

    expect([...POWERS.keys()].filter((name) => !methods.test(name) && !asked.has(name))).toEqual([])
  })
})

describe('the list of hooks', () => {
  it('completes only parameters of the hook', () => {
    for (const [hook, { params, filled }] of Object.entries(HOOKS)) {
      expect(params, hook).toEqual(expect.arrayContaining(Object.keys(filled)))
    }
  })
})
