import type { ScriptReport } from '../../runtime/core/ports.ts'

/** A malicious script, and the allowed reports about it. It runs as `onClick` of field `a`, unless `functions` says otherwise. */
export interface HostileScript {
  readonly name: string
  readonly code: string
  readonly functions?: string
  /** Codes that may be reported; `none`: it may also end harmlessly. */
  readonly ends: readonly (ScriptReport['code'] | 'none')[]
  /** Only terminating its worker stops it: not for a sandbox in the same thread. */
  readonly native?: true
}

const BUDGET = ['SCRIPT_BUDGET'] as const
const MEMORY = ['SCRIPT_MEMORY'] as const
const HARMLESS = ['none', 'SCRIPT_ERROR'] as const
/** Memory and time run out at about the same moment, depending on the machine. */
const EITHER = ['SCRIPT_MEMORY', 'SCRIPT_BUDGET'] as const

/** The hostile set of issue 3. Field names: `a` carries the script, `b` is plain, `loop`, `ping` and `pong` change each other, `s` has rows. */
export const HOSTILE_SCRIPTS: readonly HostileScript[] = [
  { name: 'endless loop', code: 'for (;;) {}', ends: BUDGET },
  { name: 'endless loop that catches', code: 'for (;;) try { for (;;) {} } catch (e) {}', ends: BUDGET },
  { name: 'endless loop in finally', code: 'try { null.x } finally { for (;;) {} }', ends: BUDGET },
  {
    name: 'endless generator',
    code: 'function* g() { for (;;) yield 1 } for (var x of g()) {}',
    ends: BUDGET,
  },
  {
    name: 'native search, again and again',
    code: 'var s = "a".repeat(2e6), t = "a".repeat(1e6) + "b"; for (;;) s.indexOf(t)',
    ends: BUDGET,
    native: true,
  },
  {
    name: 'one native search',
    code: '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")',
    ends: BUDGET,
    native: true,
  },
  {
    name: 'native search backwards',
    code: '"a".repeat(4e6).lastIndexOf("a".repeat(2e6) + "b")',
    ends: BUDGET,
    native: true,
  },
  {
    name: 'huge sort',
    code: 'var a = []; for (var i = 0; i < 2e5; i++) a.push((i * 7919) % 400009); for (;;) a.slice().sort()',
    ends: EITHER,
    native: true,
  },
  { name: 'catastrophic pattern', code: '/^(a+)+$/.test("a".repeat(40) + "b")', ends: BUDGET },
  {
    name: 'catastrophic pattern in replace',
    code: '("x".repeat(3e4)).replace(/(x+x+)+y/g, "")',
    ends: [...EITHER, 'SCRIPT_ERROR'],
  },
  {
    name: 'huge power',
    code: '2n ** 30000000n; for (;;) {}',
    ends: [...EITHER, 'SCRIPT_ERROR'],
    native: true,
  },
  {
    name: 'huge product',
    code: 'var n = 3n ** 200000n; for (;;) n = n * n',
    ends: [...EITHER, 'SCRIPT_ERROR'],
    native: true,
  },
  {
    name: 'join of nothing',
    code: 'new Array(4e9).join("x")',
    ends: [...EITHER, 'SCRIPT_ERROR'],
    native: true,
  },
  { name: 'fill of a huge array', code: 'for (;;) new Array(1e9).fill(0)', ends: EITHER, native: true },
  {
    name: 'promise storm',
    code: '(function again() { Promise.resolve().then(again) })()',
    ends: BUDGET,
  },
  { name: 'endless await', code: 'for (;;) await 1', ends: BUDGET },
  {
    name: 'thenable without end',
    code: 'return { then: function (done) { done({ then: this.then }) } }',
    ends: [...BUDGET, 'none'],
  },
  { name: 'deep recursion', code: '(function down() { down() })()', ends: MEMORY },
  {
    name: 'recursion through a getter',
    code: 'var o = { get x() { return this.x } }; o.x',
    ends: MEMORY,
  },
  {
    name: 'recursion through toString',
    code: 'var o = {}; o.toString = function () { return "" + o }; "" + o',
    ends: MEMORY,
  },
  { name: 'deep JSON read', code: 'JSON.parse("[".repeat(100000))', ends: [...MEMORY, 'SCRIPT_ERROR'] },
  {
    name: 'deep JSON written',
    code: 'var o = {}, p = o; for (var i = 0; i < 1e5; i++) p = p.x = {}; JSON.stringify(o)',
    ends: [...EITHER, 'SCRIPT_ERROR'],
  },
  { name: 'memory bomb', code: 'var all = []; for (;;) all.push(new ArrayBuffer(1e6))', ends: MEMORY },
  { name: 'crowd of small objects', code: 'var all = []; for (;;) all.push([])', ends: EITHER },
  { name: 'doubling text', code: 'var s = "x"; for (;;) s += s', ends: [...EITHER, 'SCRIPT_ERROR'] },
  {
    name: 'out of memory in a promise job',
    code: 'globalThis.all = []; Promise.resolve().then(function () { for (;;) all.push(new ArrayBuffer(1e5)) })',
    ends: MEMORY,
  },
  {
    name: 'out of memory, caught',
    code: 'globalThis.all = []; for (;;) try { all.push(new ArrayBuffer(1e5)) } catch (e) {}',
    ends: EITHER,
  },
  {
    name: 'prototype walk to a function maker',
    code: 'return this.constructor.constructor("return this.process || this.importScripts")().exit()',
    ends: ['SCRIPT_ERROR'],
  },
  {
    name: 'function made of text that loops',
    code: 'new Function("for (;;) {}")()',
    ends: BUDGET,
  },
  {
    name: 'code that leaves its hook',
    code: '}); for (;;) {} (function () {',
    ends: [...BUDGET, 'SCRIPT_ERROR'],
  },
  {
    name: 'prototype pollution through values',
    code: 'this.getFormRef().setFormData(JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"x":1},"b":{"__proto__":{"polluted":1}}}\')); this.setWidgetOption("__proto__", { polluted: 1 }); this.field.options.__proto__ = { polluted: 1 }; this.getWidgetRef("__proto__"); this.setUploadHeader("__proto__", "x")',
    ends: HARMLESS,
  },
  {
    name: 'toJSON without end',
    code: 'this.setValue({ toJSON: function () { for (;;) {} } })',
    ends: BUDGET,
  },
  {
    name: 'proxy without end',
    code: 'this.setValue(new Proxy({}, { ownKeys: function () { for (;;) {} } }))',
    ends: BUDGET,
  },
  {
    name: 'proxy with a crowd of keys',
    code: 'this.setValue(new Proxy({}, { ownKeys: function () { return Array.from({ length: 1e6 }, function (_, i) { return "k" + i }) } }))',
    ends: [...EITHER, 'SCRIPT_RESULT'],
  },
  {
    name: 'million host calls',
    code: 'for (var i = 0; i < 1e6; i++) this.getValue()',
    ends: ['SCRIPT_CALLS', ...BUDGET],
  },
  {
    name: 'flood of large texts',
    code: 'for (;;) this.setValue("x".repeat(60000), true)',
    ends: ['SCRIPT_RESULT', 'SCRIPT_CALLS', ...BUDGET],
  },
  { name: 'result too large', code: 'this.setValue("x".repeat(1e5))', ends: ['SCRIPT_RESULT'] },
  {
    name: 'flood of the log',
    code: 'for (;;) console.log("x".repeat(2000))',
    ends: ['SCRIPT_CALLS', 'SCRIPT_RESULT', ...BUDGET],
  },
  {
    name: 'flood of requests',
    code: 'for (;;) this.executeDataSource("none")',
    ends: ['SCRIPT_CALLS', ...BUDGET],
  },
  {
    name: 'change that changes itself',
    code: 'this.getWidgetRef("loop").setValue(1)',
    ends: ['SCRIPT_CASCADE', ...BUDGET],
  },
  {
    name: 'changes that change each other',
    code: 'this.getWidgetRef("ping").setValue(1)',
    ends: ['SCRIPT_CASCADE', ...BUDGET],
  },
  {
    name: 'rows that add rows',
    code: 'this.getWidgetRef("s").addSubFormRow()',
    ends: ['SCRIPT_CASCADE', ...BUDGET],
  },
  {
    name: 'built-ins thrown over',
    code: 'JSON = null; Promise = null; Object.prototype.x = 1; Array.prototype.push = null; Array.prototype[Symbol.iterator] = null; Function.prototype.call = null; Map.prototype.get = null; delete globalThis.console; Reflect.ownKeys = null',
    ends: HARMLESS,
  },
  {
    name: 'references thrown over',
    code: 'var p = Object.getPrototypeOf(this); p.setValue = null; Object.defineProperty(p, "getValue", { value: null }); Object.setPrototypeOf(this, null); delete p.setHidden',
    ends: HARMLESS,
  },
  {
    name: 'traps laid before the doors close',
    code: 'this.getValue()',
    functions:
      'Array.prototype.trap = new Proxy({}, { ownKeys: function () { for (;;) {} } }); Object.prototype.set = function () { for (;;) {} };',
    ends: [...HARMLESS, ...BUDGET],
  },
  { name: 'functions without end', code: ';', functions: 'for (;;) {}', ends: BUDGET },
  {
    name: 'functions in a native loop',
    code: ';',
    functions: 'var s = "a".repeat(4e6); s.indexOf("a".repeat(2e6) + "b")',
    ends: BUDGET,
    native: true,
  },
  {
    name: 'error without words',
    code: 'throw { toString: function () { for (;;) {} }, get message() { for (;;) {} } }',
    ends: [...BUDGET, 'SCRIPT_ERROR'],
  },
]
