import { describe, expect, it } from 'vitest'
import { HOOK_NOTES, HOOKS_NOT_RUN } from '../../../../runtime/core/hooks/catalogue-hooks.ts'
import { HOOKS } from '../../../../runtime/core/hooks/hook-names.ts'
import { CATALOGUE, REFUSED } from '../../../../runtime/core/hooks/script-catalogue.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/core/hooks/script-limits.ts'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import { POWERS } from '../../../../runtime/core/scripts/script-api.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { createVm } from '../../../../runtime/sandbox/vm.ts'

const OWNERS = ['form', 'field', 'subForm', 'container'] as const

/** What page code finds on a reference: `name` → `method`, `property` or the message of the refusal. */
const LOOK = `
  var found = {}, members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(this))
  for (const name of Object.keys(members)) {
    if (name === 'constructor') continue
    found[name] = members[name].get ? 'property' : 'method'
    try {
      if (members[name].get) members[name].get.call(this)
    } catch (e) {
      if (/is not available/.test(e.message)) found[name] = e.message
    }
  }
  return found`

describe('the catalogue of page scripts', () => {
  it.each(OWNERS)('lists exactly the members of a %s reference', async (owner) => {
    const found = await inGuest(LOOK, { kind: owner, key: owner === 'form' ? '' : 'k' })

    const listed = CATALOGUE.filter((entry) => entry.owner === owner || entry.owner === 'every')
    expect(Object.keys(found).sort()).toEqual(listed.map(({ name }) => name).sort())
    for (const { name, kind, status, note } of listed) {
      if (kind === 'property' && status === 'error') expect(found[name]).toContain(note)
      else expect(found[name], name).toBe(kind)
    }
  })

  it.each(REFUSED.filter(({ owner, kind }) => owner !== 'global' && kind === 'method'))(
    'refuses $owner.$name with the text of the catalogue',
    async ({ owner, name, note }) => {
      const code = `try { this.${name}() } catch (e) { return { said: e.message } }`

      const { said } = await inGuest(code, { kind: owner, key: owner === 'form' ? '' : 'k' })

      expect(said).toBe(`${name} is not available in page scripts: ${note}`)
    },
  )

  it('lists the globals that the language itself does not have', async () => {
    const { names } = await inGuest('return { names: Object.getOwnPropertyNames(globalThis) }', null)

    const listed = CATALOGUE.filter(({ owner }) => owner === 'global').map(({ name }) => name)
    expect((names as string[]).filter((name) => !LANGUAGE.has(name)).sort()).toEqual(
      listed.filter((name) => !LANGUAGE.has(name)).sort(),
    )
  })

  it('has a note for every hook, and no note for a missing hook', () => {
    expect(Object.keys(HOOK_NOTES).sort()).toEqual(Object.keys(HOOKS).sort())
    expect(Object.keys(HOOKS_NOT_RUN).filter((name) => name in HOOKS)).toEqual([])
  })
})

/** Runs code in a fresh engine with the real list of powers; returns its result. */
async function inGuest(
  code: string,
  self: { kind: string; key: string } | null,
): Promise<Record<string, Json>> {
  let result: Json = null
  const vm = createVm({
    engine: await nodeQuickJs(DEFAULT_LIMITS.memoryBytes),
    limits: DEFAULT_LIMITS,
    elapsed: () => 0,
    names: { powers: [...POWERS.keys()], refused: REFUSED },
    seed: 1,
    host(name, args) {
      if (name === '@answer') result = args[1] ?? null
      return name === 'widget.facts' || name === 'widget.row' ? {} : null
    },
  })
  vm.begin(0)
  vm.lock()
  vm.begin(0)
  const end = vm.call({ id: 1, slot: 'look', code, params: [], self, args: [], wanted: true })
  vm.finish()
  vm.dispose()
  if (!isObject(result)) throw new Error(JSON.stringify(end))
  return result as Record<string, Json>
}

/** Globals of the language (ECMAScript 2024, annex B) and of this engine. */
const LANGUAGE = new Set(
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError
  Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol
  SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`.split(
    /\s+/,
  ),
)
