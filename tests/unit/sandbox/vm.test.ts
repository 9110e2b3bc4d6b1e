import { afterEach, describe, expect, it } from 'vitest'
import { REFUSED } from '../../../runtime/core/hooks/script-catalogue.ts'
import { DEFAULT_LIMITS } from '../../../runtime/core/hooks/script-limits.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { GuestCall } from '../../../runtime/core/scripts/script-vm.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { createVm } from '../../../runtime/sandbox/vm.ts'

const open: { dispose(): void }[] = []
afterEach(() => {
  for (const vm of open.splice(0)) vm.dispose()
})

describe('a script engine', () => {
  it('passes arguments in and the answer out as JSON', async () => {
    const { run, calls } = await anEngine()

    const end = run('return { sum: a + b.c }', { params: ['a', 'b'], args: [1, { c: 2 }] })

    expect(end).toEqual({ kind: 'done' })
    expect(calls).toEqual([['@answer', [1, { sum: 3 }]]])
  })

  it('reports the line of an error in the code', async () => {
    const { run } = await anEngine()

    const end = run('var x = null\n\nx.y()')

    expect(end).toEqual({ kind: 'error', line: 3, message: "TypeError: cannot read property 'y' of null" })
  })

  it('reports the line of a syntax error', async () => {
    const { run } = await anEngine()

    expect(run('var a = 1\nvar = 2')).toMatchObject({ kind: 'error', line: 2 })
  })

  it('allows code with await', async () => {
    const { run, calls } = await anEngine()

    run('const v = await Promise.resolve(5); return v + 1')

    expect(calls).toEqual([['@answer', [1, 6]]])
  })

  it('shows a clock that stands still within a run', async () => {
    const { run, calls } = await anEngine()

    run('return [Date.now(), new Date().getTime(), new Date(7).getTime(), typeof Date()]')

    expect(calls).toEqual([['@answer', [1, [1_700_000_000_000, 1_700_000_000_000, 7, 'string']]]])
  })

  it.each([
    ['document.title', /document is not available.*getWidgetRef/],
    ['new XMLHttpRequest()', /XMLHttpRequest is not available/],
    ['setTimeout(function () {}, 1)', /setTimeout is not available/],
    ['localStorage.getItem("a")', /localStorage is not available/],
  ])('answers %s with an error that names the alternative', async (code, message) => {
    const { run } = await anEngine()

    const end = run(code)

    expect(end.kind === 'error' && end.message).toMatch(message)
  })

  it('keeps one hook from changing the built-ins of the next', async () => {
    const { run, calls } = await anEngine()

    run(
      'try { Array.prototype.map = null } catch (e) {} try { Object.prototype.polluted = 1 } catch (e) {} JSON = 5; delete globalThis.console',
    )
    run(
      'return [[1].map(function (n) { return n + 1 }), ({}).polluted === undefined, typeof JSON.parse, typeof console.log]',
    )

    expect(calls.at(-1)).toEqual(['@answer', [2, [[2], true, 'function', 'function']]])
  })

  it('allows objects to have own properties named like built-in ones', async () => {
    const { run, calls } = await anEngine()

    run(
      'var o = {}; o.toString = function () { return "mine" }; var e = new Error("a"); e.name = "Own"; e.message = "b"; return [String(o), e.name, e.message]',
    )

    expect(calls).toEqual([['@answer', [1, ['mine', 'Own', 'b']]]])
  })

  it('accepts extensions of the built-ins by functions, before they are frozen', async () => {
    const { run, calls } = await anEngine(
      'Date.prototype.format = function () { return "f" }; function twice(n) { return 2 * n }',
    )

    run('return [new Date().format(), twice(4)]')

    expect(calls).toEqual([['@answer', [1, ['f', 8]]]])
  })

  it.each([
    ['SCRIPT_BUDGET', 'an endless loop', 'for (;;) {}'],
    ['SCRIPT_BUDGET', 'a caught interrupt', 'for (;;) { try { for (;;) {} } catch (e) {} }'],
    ['SCRIPT_BUDGET', 'a catastrophic pattern', '/^(a+)+$/.test("a".repeat(40) + "b")'],
    ['SCRIPT_BUDGET', 'a promise storm', '(function next() { Promise.resolve().then(next) })()'],
    ['SCRIPT_MEMORY', 'deep recursion', '(function down() { down() })()'],
    ['SCRIPT_MEMORY', 'deep JSON', 'JSON.parse("[".repeat(20000))'],
    ['SCRIPT_MEMORY', 'a memory bomb', 'var all = []; for (;;) all.push(new ArrayBuffer(1e6))'],
    ['SCRIPT_MEMORY', 'a crowd of small objects', 'var all = []; for (;;) all.push([])'],
    ['SCRIPT_CALLS', 'a million host calls', 'for (var i = 0; i < 1e6; i++) console.log(i)'],
    ['SCRIPT_RESULT', 'a huge result', 'return "x".repeat(70000)'],
  ])('ends with %s on %s', async (code, _, hook) => {
    const { run } = await anEngine('', { mayBreak: true, timeless: code !== 'SCRIPT_BUDGET' })

    const end = run(hook)

    expect(end.kind === 'limit' && end.limit.code).toBe(code)
  })

  it('leaves no handle alive after an interruption', async () => {
    const { run, vm } = await anEngine()
    run('globalThis.kept = []; for (;;) kept.push({})')

    open.length = 0

    expect(() => vm.dispose()).not.toThrow()
  })

  it('exposes exactly the frozen list of names on its global', async () => {
    const { run, calls } = await anEngine()

    run('return Object.getOwnPropertyNames(globalThis).sort()')

    expect(calls[0]?.[1]).toEqual([1, REACHABLE])
  })
})

async function anEngine(functions = '', { mayBreak = false, timeless = false } = {}) {
  const calls: (readonly [string, readonly Json[]])[] = []
  const vm = createVm({
    engine: await nodeQuickJs(DEFAULT_LIMITS.memoryBytes),
    limits: DEFAULT_LIMITS,
    elapsed: () => (timeless ? 0 : performance.now()),
    names: { powers: ['field.getValue'], refused: REFUSED },
    seed: 7,
    host: (name, args) => {
      calls.push([name, args])
      return undefined
    },
  })
  if (!mayBreak) open.push(vm)
  vm.begin(1_700_000_000_000)
  const loaded = vm.load(functions)
  vm.lock()
  if (loaded.kind !== 'done') throw new Error(JSON.stringify(loaded))
  let id = 0
  const run = (code: string, { params = [] as string[], args = [] as Json[] } = {}) => {
    id += 1
    const call: GuestCall = {
      id,
      slot: `hook ${id}`,
      code,
      params,
      self: null,
      args: args.map((json) => ({ json })),
      wanted: true,
    }
    vm.begin(1_700_000_000_000)
    const end = vm.call(call)
    const finished = vm.finish()
    return end.kind === 'done' ? finished : end
  }
  return { vm, run, calls }
}

const REACHABLE =
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Intl
  Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol
  SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebSocket XMLHttpRequest
  ElMessage ElMessageBox Vue alert axios clearInterval clearTimeout confirm console dayjs decodeURI decodeURIComponent document encodeURI encodeURIComponent escape
  eval fetch globalThis history importScripts indexedDB isFinite isNaN jQuery localStorage location moment navigator parseFloat parseInt
  process prompt queueMicrotask requestAnimationFrame require self sessionStorage setInterval setTimeout undefined unescape uni window wx`
    .split(/\s+/)
    .sort()
