import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Report, readRun, settled } from '../../../src/tools/suite.ts'

/** A report of one file: its tests by name, `null` if it could not be loaded. */
function report(
  files: Readonly<Record<string, Readonly<Record<string, string>> | null>>,
  tags: readonly string[] = [],
): Report {
  const testResults = Object.entries(files).map(([name, tests]) => {
    const assertionResults = Object.entries(tests ?? {}).map(([fullName, status]) => ({
      fullName,
      status,
      tags,
    }))
    const isRed = tests === null || assertionResults.some(({ status }) => status === 'failed')
    return {
      name: name.startsWith('/') ? name : `/repo/${name}`,
      status: isRed ? 'failed' : 'passed',
      assertionResults,
    }
  })
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const numPassedTests = all.filter(({ status }) => status === 'passed').length
  return { numTotalTests: all.length, numPassedTests, testResults }
}

const ended = (code: number, strays: readonly (string | null)[] = [], withoutLong = false) => ({
  code,
  strays,
  withoutLong,
})
const outcome = ({ failed, unsteady }: ReturnType<typeof settled>) => [failed, unsteady.length]

describe('a run of the tests', () => {
  const first = readRun(report({ a: { one: 'passed', two: 'failed' } }), ended(1))

  it('forgives a test that passes alone, and names it', () => {
    expect(
      outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'passed' } }), ended(0)))),
    ).toEqual([0, 1])
  })

  it('does not forgive a test that fails again, or that is missing', () => {
    expect(
      outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'failed' } }), ended(1)))),
    ).toEqual([1, 0])
    expect(outcome(settled(first, readRun(report({ a: { one: 'passed' } }), ended(0))))).toEqual([1, 0])
    expect(outcome(settled(first, readRun(null, ended(1))))).toEqual([1, 0])
  })

  it('still reports a file that could not be loaded beside a forgiven test', () => {
    const both = readRun(report({ a: { two: 'failed' }, b: null }), ended(1))
    expect(both.failed).toBe(2)
    expect(outcome(settled(both, readRun(report({ a: { two: 'passed' } }), ended(0))))).toEqual([1, 1])
  })

  it('forgives nothing if an error outside tests happened the second time', () => {
    expect(
      outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'passed' } }), ended(1)))),
    ).toEqual([1, 0])
  })

  it('forgives an error outside tests only if its file passes alone without one', () => {
    const file = fileURLToPath(new URL('../../../a', import.meta.url))
    const astray = readRun(report({ [file]: { one: 'passed' } }), ended(1, [file]))
    expect([astray.failed, astray.files]).toEqual([1, ['a']])
    expect(outcome(settled(astray, readRun(report({ [file]: { one: 'passed' } }), ended(0))))).toEqual([0, 1])
    const again = readRun(report({ [file]: { one: 'passed' } }), ended(1, [file]))
    expect(outcome(settled(astray, again))).toEqual([1, 0])
    const unknown = readRun(report({ [file]: { one: 'passed' } }), ended(1, [null]))
    expect([unknown.failed, unknown.files]).toEqual([1, []])
  })

  it('repeats a file whose last cleanup failed, and forgives it if that passes alone', () => {
    const file = fileURLToPath(new URL('../../../a', import.meta.url))
    const passed = report({ [file]: { one: 'passed' } })
    const uncleared = {
      ...passed,
      testResults: passed.testResults.map((one) => ({ ...one, status: 'failed' })),
    }
    const left = readRun(uncleared, ended(1))
    expect([left.failed, left.files]).toEqual([1, ['a']])
    expect(outcome(settled(left, readRun(passed, ended(0))))).toEqual([0, 1])
    expect(outcome(settled(left, readRun(uncleared, ended(1))))).toEqual([1, 0])
  })

  it('counts an error outside tests beside a failed test', () => {
    expect(readRun(report({ a: { one: 'failed' } }), ended(1, [null])).failed).toBe(2)
  })

  it('leaves long tests out if they were not requested, and counts a long test that is skipped otherwise as failed', () => {
    const skipped = { a: { one: 'skipped', two: 'passed' } }
    const run = (tags: readonly string[], withoutLong: boolean) => {
      const { passed, failed, left } = readRun(report(skipped, tags), ended(0, [], withoutLong))
      return [passed, failed, left]
    }
    expect(run(['long'], true)).toEqual([1, 0, 1])
    expect(run(['long'], false)).toEqual([1, 1, 0])
    expect(run(['other'], true)).toEqual([1, 1, 0])
  })

  it('counts a skipped test and an error outside tests as failed', () => {
    expect(readRun(report({ a: { one: 'passed', two: 'skipped' } }), ended(0)).failed).toBe(1)
    expect(readRun(report({ a: { one: 'passed' } }), ended(1)).failed).toBe(1)
  })
})
