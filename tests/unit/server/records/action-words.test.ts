import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { actionWords } from '../../../../src/server/kernel/records/action-words.ts'

const NOTHING = { modules: new Map() }

describe('actions in words', () => {
  it.each([
    ['customer:edit', '编辑客户'],
    ['customer:import', '导入客户'],
    ['customer:export', '导出客户'],
    ['contract:import', '导入合同'],
    ['lead_pool:import', '导入线索到线索池'],
  ])('describes %s as %s', (action, words) => {
    expect(actionWords(action, NOTHING)).toBe(words)
  })

  it('has a description for every call that writes', () => {
    const actions = writtenActions()

    expect(actions.length).toBeGreaterThan(40)
    expect(actions.filter((action) => actionWords(action, NOTHING) === action)).toEqual([])
  })

  it('keeps an unknown action unchanged', () => {
    expect(actionWords('orbit:launch', NOTHING)).toBe('orbit:launch')
  })
})

const SERVER = join(import.meta.dirname, '../../../../src/server')

/** The names of `writer`'s calls in the audit log: their permission, or their path. */
function writtenActions(): readonly string[] {
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(join(SERVER, file), 'utf8'))
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/\(\s*'\/mini\/([^']+)',\s*(?:null|'([\w.]+:[\w-]+)')/g),
  ])
  return [...new Set(calls.map(([, path = '', right]) => right ?? path.replace('/', ':')))]
}
