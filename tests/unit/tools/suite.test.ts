import { describe, expect, it } from 'vitest'
import { type Report, readRun, settled } from '../../../src/tools/suite.ts'

/** A report of one file: its tests by name, `null` where it could not be loaded. */
function report(files: Readonly<Record<string, Readonly<Record<string, string>> | null>>): Report {
  const testResults = Object.entries(files).map(([name, tests]) => {
    const assertionResults = Object.entries(tests ?? {}).map(([fullName, status]) => ({ fullName, status }))
    const isRed = tests === null || assertionResults.some(({ status }) => status === 'failed')
    return { name: `/repo/${name}`, status: isRed ? 'failed' : 'passed', assertionResults }
  })
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const numPassedTests = all.filter(({ status }) => status === 'passed').length
  return { numTotalTests: all.length, numPassedTests, testResults }
}

const outcome = ({ failed, unsteady }: ReturnType<typeof settled>) => [failed, unsteady.length]

describe('a run of the tests', () => {
  const first = readRun(report({ a: { one: 'passed', two: 'failed' } }), 1)

  it('forgives a test that passes alone, and names it', () => {
    expect(outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'passed' } }), 0)))).toEqual([
      0, 1,
    ])
  })

  it('does not forgive one that fails again, or is not there any more', () => {
    expect(outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'failed' } }), 1)))).toEqual([
      1, 0,
    ])
    expect(outcome(settled(first, readRun(report({ a: { one: 'passed' } }), 0)))).toEqual([1, 0])
    expect(outcome(settled(first, readRun(null, 1)))).toEqual([1, 0])
  })

  it('does not forget a file that could not be loaded beside one that is forgiven', () => {
    const both = readRun(report({ a: { two: 'failed' }, b: null }), 1)
    expect(both.failed).toBe(2)
    expect(outcome(settled(both, readRun(report({ a: { two: 'passed' } }), 0)))).toEqual([1, 1])
  })

  it('forgives nothing where something outside of the tests went wrong the second time', () => {
    expect(outcome(settled(first, readRun(report({ a: { one: 'passed', two: 'passed' } }), 1)))).toEqual([
      1, 0,
    ])
  })

  it('counts a skipped test and an error outside of all tests as failed', () => {
    expect(readRun(report({ a: { one: 'passed', two: 'skipped' } }), 0).failed).toBe(1)
    expect(readRun(report({ a: { one: 'passed' } }), 1).failed).toBe(1)
  })
})
