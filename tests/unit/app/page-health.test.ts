import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../runtime/core/ports.ts'
import { createPageHealth, isFailedSubmit } from '../../../src/app/pages/page-health.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function aPhone(isKnown = true) {
  const clock = fakeClock()
  const sent: HttpRequest[] = []
  const health = createPageHealth({
    clock,
    url: '/report',
    isKnown: () => isKnown,
    http: {
      async send(request) {
        sent.push(request)
        return { ok: true, value: { status: 200, data: null, headers: {} } }
      },
    },
  })
  const reported = () => sent.map(({ body }) => (body as unknown as { pages: object[] }).pages)
  return { clock, health, reported }
}

const PATH = '/pages/a'
const NONE = { opened: 0, failed: 0, faults: 0, killed: 0, submits: 0 }

describe('page health reported by a phone', () => {
  it('is collected and sent in batches; a failed opening counts once', async () => {
    const { clock, health, reported } = aPhone()
    health.note(PATH, 'opened')
    health.note(PATH, 'faults')
    health.note(PATH, 'killed')
    health.note('/pages/b', 'opened')
    await clock.pass(15_000)

    expect(reported()).toEqual([
      [
        { path: PATH, ...NONE, opened: 1, failed: 1, faults: 1, killed: 1, age: 15_000 },
        { path: '/pages/b', ...NONE, opened: 1, age: 15_000 },
      ],
    ])
    health.note(PATH, 'submits')
    health.flush()
    expect(reported()[1]).toEqual([{ path: PATH, ...NONE, submits: 1, age: 0 }])
  })

  it('counts openings per version', () => {
    const { health, reported } = aPhone()
    health.note(PATH, 'opened')
    health.note(PATH, 'opened')
    health.note(PATH, 'faults')
    health.flush()

    expect(reported()).toEqual([
      [{ path: PATH, ...NONE, opened: 1, age: 0 }],
      [{ path: PATH, ...NONE, opened: 1, failed: 1, faults: 1, age: 0 }],
    ])
  })

  it('is not reported while nobody is signed in', () => {
    const { health, reported } = aPhone(false)
    health.note(PATH, 'opened')
    health.flush()

    expect(reported()).toEqual([])
  })

  it('counts a submission as failed if the server refuses it without naming a field', () => {
    const form = { headers: { 'X-Form-State': '{}' } }
    const failed = (error: object, request: object = form) =>
      isFailedSubmit(request, { ok: false, error: { message: '', ...error } as never }, 'X-Form-State')

    expect(failed({ code: 'HTTP_STATUS', status: 500 })).toBe(true)
    expect(failed({ code: 'REFUSED', type: 'VALIDATION' })).toBe(true)
    expect(failed({ code: 'REFUSED', type: 'VALIDATION', fields: { name: '必填' } })).toBe(false)
    expect(failed({ code: 'CONFLICT', type: 'VERSION_CONFLICT' })).toBe(false)
    expect(failed({ code: 'NETWORK' })).toBe(false)
    expect(failed({ code: 'HTTP_STATUS', status: 500 }, {})).toBe(false)
  })
})
