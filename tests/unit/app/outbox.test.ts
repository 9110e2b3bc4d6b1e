import { describe, expect, it } from 'vitest'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome, WaitingWrite } from '../../../runtime/core/ports.ts'
import { createOutbox } from '../../../src/app/offline/outbox.ts'
import { outboxRows } from '../../../src/app/offline/outbox-rows.ts'
import { waitingAt, waitingWrite } from '../../../src/app/offline/page-ports.ts'
import { createCurrentCipher } from '../../../src/app/storage/cipher.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryDatabase } from '../../support/memory-database.ts'

const HOUR_MS = 3_600_000
const SENT: Outcome<HttpResponse> = { ok: true, value: { status: 200, headers: {}, data: null } }
const AWAY: Outcome<HttpResponse> = { ok: false, error: failure('NETWORK') }
const NO: Outcome<HttpResponse> = { ok: false, error: failure('REFUSED', {}, { message: '客户已存在' }) }

describe('queued writes', () => {
  it('are sent in order, each once, with their age', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.clock.pass(2_000)
    await app.outbox.put(aWrite('二'), '/pages/a')

    await app.outbox.flush()
    await app.outbox.flush()

    expect(app.sent.map(({ body }) => body)).toEqual([token('一'), token('二')])
    expect(app.sent.map(({ headers }) => headers?.['X-Queued-Ms'])).toEqual(['2000', '0'])
    expect(app.outbox.entries.get()).toEqual([])
    expect(app.rounds).toEqual([{ sent: 2, refused: 0 }])
  })

  it.each([
    ['the server is away', AWAY],
    [
      'a password must be changed first',
      { ok: false as const, error: failure('REFUSED', {}, { type: 'PASSWORD_CHANGE', status: 405 }) },
    ],
  ])('are kept and retried automatically: %s', async (_, answer) => {
    const app = anOutbox()
    app.answer = answer
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.flush()
    const waiting = app.outbox.entries.get().length

    app.answer = SENT
    await app.clock.pass(3_000)
    await settled()

    expect(waiting).toBe(1)
    expect(app.sent).toHaveLength(2)
    expect(app.outbox.entries.get()).toEqual([])
  })

  it('that are refused keep the reason, do not block others, and are sent again on the user’s request', async () => {
    const app = anOutbox()
    app.answers.push(NO)
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.put(aWrite('二'), '/pages/a')

    await app.outbox.flush()
    const [left] = app.outbox.entries.get()
    await app.outbox.retry(left?.seq ?? 0)

    expect(left).toMatchObject({ state: 'refused', message: '客户已存在', title: '一' })
    expect(app.sent.map(({ body }) => body)).toEqual([token('一'), token('二'), token('一')])
    expect(app.outbox.entries.get()).toEqual([])
  })

  it.each([
    ['fails (500)', failure('HTTP_STATUS', { status: 500 }, { status: 500, message: '服务器出错了' })],
    ['is down behind its proxy (502)', failure('HTTP_STATUS', { status: 502 }, { status: 502 })],
    ['sheds load (503)', failure('HTTP_STATUS', { status: 503 }, { status: 503 })],
    ['is too slow for its proxy (504)', failure('HTTP_STATUS', { status: 504 }, { status: 504 })],
    ['fails, told with status 200', failure('REFUSED', {}, { status: 500, message: '服务器出错了' })],
    ['is hidden by a page of somebody else', failure('ANSWER_INVALID', {}, { status: 200 })],
  ])('keep their order and wait for growing pauses while the server %s', async (_, error) => {
    const app = anOutbox()
    app.answer = { ok: false, error }
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.put(aWrite('二'), '/pages/a')
    await app.outbox.flush()
    expect(app.outbox.entries.get().map(({ state }) => state)).toEqual(['waiting', 'waiting'])

    const attempts = [app.sent.length]
    for (const pause of [2_999, 1, 9_999, 1]) {
      await app.clock.pass(pause)
      await settled()
      attempts.push(app.sent.length)
    }
    app.answer = SENT
    await app.clock.pass(30_000)
    await settled()

    expect(attempts).toEqual([1, 1, 2, 2, 3])
    expect(app.sent.map(({ body }) => body)).toEqual(['一', '一', '一', '一', '二'].map(token))
    expect(app.outbox.entries.get()).toEqual([])
    expect(app.rounds).toEqual([{ sent: 2, refused: 0 }])
  })

  it('at which the server fails again and again are left to the user, and those after them are sent', async () => {
    const app = anOutbox()
    const fault = failure('HTTP_STATUS', { status: 500 }, { status: 500, message: '出错了，编号 1a2b' })
    app.answers.push(...Array.from({ length: 8 }, () => ({ ok: false as const, error: fault })))
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.put(aWrite('二'), '/pages/a')
    await app.outbox.flush()
    expect(outboxRows(app.outbox.entries.get())).toMatchObject({
      list: [
        { title: '一', state: 'waiting', message: '出错了，编号 1a2b', failed: 1 },
        { title: '二', state: 'waiting', message: '', failed: 0 },
      ],
    })

    for (let round = 1; round < 8; round += 1) {
      await app.clock.pass(60_000)
      await settled()
    }

    expect(app.sent.map(({ body }) => body)).toEqual(
      [...Array.from({ length: 8 }, () => '一'), '二'].map(token),
    )
    expect(app.rounds).toEqual([{ sent: 1, refused: 1 }])
    expect(outboxRows(app.outbox.entries.get())).toMatchObject({
      list: [{ title: '一', state: 'refused', message: '出错了，编号 1a2b', failed: 8 }],
    })
    app.answers.push({ ok: false, error: fault })
    await app.outbox.retry(app.outbox.entries.get()[0]?.seq ?? 0)
    expect(app.outbox.entries.get()).toMatchObject([{ state: 'waiting', failed: 1 }])
  })

  it('without a known result for longer than the server remembers tokens are left to the user', async () => {
    const app = anOutbox()
    app.answer = AWAY
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.flush()

    await app.clock.pass(73 * HOUR_MS)
    app.answer = SENT
    const tries = app.sent.length
    await app.outbox.flush()

    expect(app.sent).toHaveLength(tries)
    expect(app.outbox.entries.get()).toMatchObject([{ state: 'refused', message: '请核对' }])
  })

  it('of another user are neither shown nor sent', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')

    app.owner = 't:other'
    await app.outbox.flush()

    expect(app.outbox.entries.get()).toEqual([])
    expect(app.sent).toEqual([])
  })

  it('of a user who signs in while others are loading are sent in the same round', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')

    app.owner = null
    const looking = app.outbox.flush()
    app.owner = 't:u'
    await Promise.all([looking, app.outbox.flush()])

    expect(app.sent.map(({ body }) => body)).toEqual([token('一')])
    expect(app.outbox.entries.get()).toEqual([])
  })

  it('are not sent while the user edits them', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')
    const [entry] = app.outbox.entries.get()

    const release = app.outbox.hold(entry?.seq ?? 0)
    await app.outbox.flush()
    const held = app.sent.length
    release()
    await settled()

    expect([held, app.sent.length]).toEqual([0, 1])
  })

  it('are rows of a page, each with the address where it can be edited', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a?id=1')

    expect(outboxRows(app.outbox.entries.get())).toMatchObject({
      list: [{ id: '1', title: '一', state: 'waiting', tried: false, edit: '/pages/a?id=1&outbox=1' }],
    })
  })
})

describe('the outbox on a device without storage', () => {
  it.each(['all', 'writes'] as const)(
    'stores nothing (%s refused), so the write stays in its form',
    async (what) => {
      const app = anOutbox()
      app.device.refuse(what)

      expect(await app.outbox.put(aWrite('一'), '/pages/a')).toBe(false)
      expect(app.outbox.entries.get()).toEqual([])
    },
  )

  it('does not send an entry twice, although the sent entry cannot be deleted', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')
    await app.outbox.put(aWrite('二'), '/pages/a')
    app.device.refuse('writes')

    await app.outbox.flush()
    await app.outbox.flush()

    expect(app.sent.map(({ body }) => body)).toEqual([token('一'), token('二')])
    expect(app.outbox.entries.get()).toEqual([])
  })

  it('sends a refused entry once, and shows the reason', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')
    app.device.refuse('writes')
    app.answer = NO

    await app.outbox.flush()
    await app.outbox.flush()

    expect(app.sent).toHaveLength(1)
    expect(app.outbox.entries.get()).toMatchObject([{ state: 'refused', message: '客户已存在' }])
  })

  it('keeps queued entries visible while the database is unavailable', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')

    app.device.refuse('all')
    await app.outbox.reload()

    expect(app.outbox.entries.get()).toMatchObject([{ title: '一' }])
  })
})

describe('the outbox on the device', () => {
  const lying = (app: ReturnType<typeof anOutbox>) => JSON.stringify([...app.device.tables.outbox.values()])

  it('continues the queued change of a record whose form is opened again; another record starts over', async () => {
    const app = anOutbox()
    const change = {
      ...aWrite('改过的'),
      draft: { values: { title: '改过的' }, rows: {}, base: { version: 1 } },
    }
    await app.outbox.put(aWrite('新的'), '/pages/add')
    await app.outbox.put(change, '/pages/add?id=1')
    const at = (query: Readonly<Record<string, string>>) =>
      waitingWrite(waitingAt(app.outbox, { id: 'a', index: 0, tab: false, path: '/pages/add', query }))

    expect(await at({ id: '1' }).draft()).toEqual(change.draft)
    expect(await at({ id: '2' }).draft()).toBeUndefined()
    expect(await at({}).draft()).toBeUndefined()
  })

  it('encrypts queued entries and the server’s answers, and only their owner can decrypt them', async () => {
    const app = anOutbox()
    app.answers.push(NO)
    await app.outbox.put(aWrite('华信软件'), '/pages/a?name=华信软件')
    expect(lying(app)).not.toContain('华信')
    await app.outbox.flush()
    expect(lying(app)).not.toMatch(/华信|已存在/)

    Object.assign(app, { key: null, owner: null })
    await app.outbox.reload()
    expect(app.outbox.entries.get()).toEqual([])
    Object.assign(app, { key: 'A'.repeat(43), owner: 't:u' })
    await app.outbox.reload()

    expect(app.outbox.entries.get()).toMatchObject([
      { title: '华信软件', message: '客户已存在', state: 'refused' },
    ])
    const [{ seq = 0 } = {}] = app.outbox.entries.get()
    expect(await app.outbox.get(seq)).toMatchObject({ draft: { values: { title: '华信软件' } } })
  })

  it('encrypts entries of an older version at the first read, and sends them', async () => {
    const app = anOutbox()
    const { request, ...words } = aWrite('华信软件')
    const open = {
      seq: 7,
      owner: 't:u',
      at: 0,
      ...request,
      ...words,
      place: '/',
      state: 'waiting',
      message: '',
      triedAt: null,
    }
    app.device.tables.outbox.set(7, open as unknown as Json)

    await app.outbox.reload()
    expect(lying(app)).not.toContain('华信')
    await app.outbox.flush()

    expect(app.sent.map(({ body }) => body)).toEqual([token('华信软件')])
  })

  it('never sends entries that cannot be decrypted; they can only be discarded', async () => {
    const app = anOutbox()
    await app.outbox.put(aWrite('一'), '/pages/a')
    app.key = `B${'A'.repeat(42)}`

    await app.outbox.flush()
    await app.outbox.retry(app.outbox.entries.get()[0]?.seq ?? 0)

    expect(app.sent).toEqual([])
    expect(app.outbox.entries.get()).toMatchObject([{ state: 'refused', message: '打不开' }])
    await app.outbox.remove(app.outbox.entries.get()[0]?.seq ?? 0)
    expect(lying(app)).toBe('[]')
  })

  it('uploads queued pictures once, before their record, which waits for them', async () => {
    const app = anOutbox()
    const picture = { name: '门头.jpg', size: 3, ext: 'jpg', url: 'data:image/jpeg;base64,QUJD' }
    const stored = { id: 'f1', name: '门头.jpg', size: 3, ext: 'jpg', url: '/engine/web/file/f1' }
    const write = aWrite('签到')
    await app.outbox.put(
      { ...write, request: { ...write.request, body: { content: '到了', images: [picture] } } },
      '/pages/a',
    )
    await app.outbox.flush()
    const held = app.sent.length
    app.uploaded = {
      ok: true,
      value: { status: 200, headers: {}, data: { meta: { code: 200 }, data: stored } },
    }
    app.answers.push(AWAY)
    await app.outbox.flush()
    await app.outbox.flush()

    expect(held).toBe(0)
    expect(app.uploads).toEqual(['门头.jpg', '门头.jpg'])
    expect(app.sent.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ content: '到了', images: [stored] })),
    )
    expect(app.outbox.entries.get()).toEqual([])
  })

  it('uploads pictures again from the device if their uploads expired meanwhile', async () => {
    const app = anOutbox()
    const picture = { name: '门头.jpg', size: 3, ext: 'jpg', url: 'data:image/jpeg;base64,QUJD' }
    const stored = (id: string) => ({ id, name: '门头.jpg', url: `/engine/web/file/${id}` })
    const uploadedAs = (id: string): typeof app.uploaded => ({
      ok: true,
      value: { status: 200, headers: {}, data: { meta: { code: 200 }, data: stored(id) } },
    })
    const write = aWrite('签到')
    await app.outbox.put({ ...write, request: { ...write.request, body: { images: [picture] } } }, '/pages/a')
    app.uploaded = uploadedAs('f1')
    app.answers.push(AWAY)
    await app.outbox.flush()
    app.uploaded = uploadedAs('f2')
    app.answers.push({ ok: false, error: failure('REFUSED', {}, { type: 'FILE_GONE', status: 422 }) })
    await app.outbox.flush()

    expect(app.sent.map(({ body }) => body)).toEqual(
      ['f1', 'f1', 'f2'].map((id) => ({ images: [stored(id)] })),
    )
    expect(app.outbox.entries.get()).toEqual([])
  })

  it('stores nothing while there is no key', async () => {
    const app = anOutbox()
    app.key = null

    expect(await app.outbox.put(aWrite('一'), '/pages/a')).toBe(false)
    expect(lying(app)).toBe('[]')
  })
})

function anOutbox() {
  const clock = fakeClock()
  const device = memoryDatabase()
  const app = {
    clock,
    device,
    owner: 't:u' as string | null,
    key: 'A'.repeat(43) as string | null,
    sent: [] as HttpRequest[],
    answers: [] as Outcome<HttpResponse>[],
    answer: SENT,
    uploads: [] as string[],
    uploaded: AWAY,
    rounds: [] as { sent: number; refused: number }[],
  }
  const outbox = createOutbox({
    database: device.database,
    clock,
    http: {
      async send(request) {
        app.sent.push(request)
        return app.answers.shift() ?? app.answer
      },
      async upload(request) {
        app.uploads.push(request.file.name)
        return app.uploaded
      },
    },
    owner: () => app.owner,
    alone: (task) => task(),
    tokenMs: 72 * HOUR_MS,
    unsureText: '请核对',
    currentCipher: createCurrentCipher(
      () => app.key,
      () => import('../../../src/app/storage/seal.ts'),
    ),
    lostText: '打不开',
    onRound: ({ sent, refused }) => app.rounds.push({ sent, refused }),
  })
  return Object.assign(app, { outbox })
}

function aWrite(title: string): WaitingWrite {
  return {
    request: { url: '/mini/x/create', method: 'POST', body: token(title) },
    title,
    text: '',
    draft: { values: { title }, rows: {} },
  }
}

const token = (title: string) => ({ clientToken: title })
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))
