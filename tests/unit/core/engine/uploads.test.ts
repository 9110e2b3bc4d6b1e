import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../../../runtime/core/engine/uploads.ts'
import { failure } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type {
  FileHandle,
  HookCall,
  HttpResponse,
  Outcome,
  UploadRequest,
} from '../../../../runtime/core/ports.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const MB = 1_048_576
const aFile = (name: string, size = 10): FileHandle => ({ name, size, type: '', handle: name })

describe('the checks of a selection', () => {
  it('are count, then type, then size, with one message, and nothing is sent', async () => {
    const { engine, sent, toasts } = open({ limit: 2, fileTypes: ['PNG'], fileMaxSize: 1 })

    await uploadsOf(engine).add('f', [aFile('a.txt', 9 * MB), aFile('b.txt'), aFile('c.txt')])
    await uploadsOf(engine).add('f', [aFile('a.txt', 9 * MB)])
    await uploadsOf(engine).add('f', [aFile('a.png', 9 * MB)])

    expect(toasts()).toEqual(['upload.tooMany{"limit":2}', 'upload.wrongType', 'upload.tooLarge{"size":1}'])
    expect(sent).toEqual([])
    expect(engine.values().f).toEqual([])
  })

  it('compare extensions without regard to case or dot; no list means any type', async () => {
    const { engine, sent } = open({ limit: 9, fileTypes: ['.Png'] })
    void uploadsOf(engine).add('f', [aFile('A.PNG')])
    await tick()
    expect(sent).toHaveLength(1)

    const any = open({ limit: 9, fileTypes: [] })
    void uploadsOf(any.engine).add('f', [aFile('noext')])
    await tick()
    expect(any.sent).toHaveLength(1)
  })

  it('parse bounds written as strings', async () => {
    const { engine, toasts, sent } = open({ limit: '1', fileTypes: [], fileMaxSize: '1' })
    await uploadsOf(engine).add('f', [aFile('a'), aFile('b')])
    await uploadsOf(engine).add('f', [aFile('a', 2 * MB)])
    expect(toasts()).toEqual(['upload.tooMany{"limit":1}', 'upload.tooLarge{"size":1}'])
    expect(sent).toEqual([])
  })

  it('use 5 MB for an empty size', async () => {
    const { engine, toasts } = open({ fileTypes: [], fileMaxSize: 0 })
    await uploadsOf(engine).add('f', [aFile('a', 5 * MB + 1)])
    expect(toasts()).toEqual(['upload.tooLarge{"size":5}'])
  })

  it('ignore a disabled or read-only field', async () => {
    for (const state of [{ disabled: true }, { readonly: true }]) {
      const { engine, sent } = open({ fileTypes: [], ...state })
      await uploadsOf(engine).add('f', [aFile('a')])
      expect(sent).toEqual([])
    }
  })
})

it('accept only status 200 for a completed upload', async () => {
  const { engine, answer, entries } = open({ fileTypes: [] })
  void uploadsOf(engine).add('f', [aFile('a')])
  await tick()

  await answer(0, { name: 'a', url: '/a' }, 201)

  expect(engine.values().f).toEqual([])
  expect(entries()).toMatchObject([{ name: 'a', status: 'error' }])
})

describe('the file picker', () => {
  it('rejects files of another type and shows a message for five seconds', async () => {
    const { engine, sent, world } = open({ limit: 9, fileExtname: 'png,jpg' }, 'file-picker')

    void uploadsOf(engine).add('f', [aFile('a.png'), aFile('b.txt'), aFile('c.JPG')])
    await tick()

    expect(world.toasts).toEqual([{ text: 'upload.wrongFormat{"count":3,"wrong":1}', durationMs: 5000 }])
    expect(sent.map(({ file }) => file.name)).toEqual(['a.png', 'c.JPG'])
  })

  it.each([
    [{ limit: 20 }, 9],
    [{ limit: 4 }, 4],
    [{ limit: '5' }, 5],
    [{ limit: 'many' }, 1],
    [{ limit: 0 }, 1],
    [{ limit: 4, returnType: 'object' }, 1],
  ])('accepts from %j the first %i in order', async (options, count) => {
    const { engine, sent } = open(options, 'file-picker')
    void uploadsOf(engine).add(
      'f',
      Array.from({ length: 12 }, (_, i) => aFile(`${i}`)),
    )
    await tick()
    expect(sent.map(({ file }) => file.name)).toEqual(Array.from({ length: count }, (_, i) => `${i}`))
  })

  it('shows the maximum once it is reached', async () => {
    const { engine, toasts, answer } = open({ limit: 1 }, 'file-picker')
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, { name: 'a', url: '/a' })

    await uploadsOf(engine).add('f', [aFile('b')])

    expect(toasts()).toEqual(['upload.atLimit{"limit":1}'])
  })

  it('replaces the file of a single-file field', async () => {
    const { engine, answer } = open({ returnType: 'object' }, 'file-picker')
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, { name: 'a', url: '/a' })

    void uploadsOf(engine).add('f', [aFile('b')])
    await tick()
    await answer(1, { name: 'b', url: '/b' })

    expect(engine.values().f).toEqual([{ name: 'b', url: '/b' }])
  })

  it('waits for a call if the upload is not automatic', async () => {
    const { engine, sent, entries } = open({ autoUpload: false }, 'file-picker')
    await uploadsOf(engine).add('f', [aFile('a')])
    expect(entries()).toMatchObject([{ name: 'a', status: 'ready' }])
    expect(sent).toEqual([])

    void uploadsOf(engine).retry('f', String(entries()[0]?.id))
    await tick()

    expect(sent).toHaveLength(1)
  })
})

describe('an upload', () => {
  it('stays one below the percentage until the server has the file, and never exceeds 99', async () => {
    const { engine, sent, entries } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()

    const seen = [0, 0.4, 50.4, 99.9, 100].map((percent) => {
      sent[0]?.onProgress?.(percent)
      return entries()[0]?.progress
    })

    expect(seen).toEqual([0, 0, 49, 99, 99])
  })

  it('has the headers and data that a script has set', async () => {
    const { engine, sent } = open({
      fileTypes: [],
      uploadHeaders: { 'x-key': 'k' },
      uploadData: { folder: 7 },
    })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    expect(sent[0]).toMatchObject({
      headers: { 'x-key': 'k' },
      data: { folder: '7' },
      withCredentials: false,
    })
    const other = open({ fileTypes: [], withCredentials: true })
    void uploadsOf(other.engine).add('f', [aFile('a')])
    await tick()
    expect(other.sent[0]).toMatchObject({ withCredentials: true })
  })

  it('that fails is shown as an error; a tap retries it', async () => {
    const { engine, answer, entries, toasts } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, null)
    expect(entries()).toMatchObject([{ name: 'a', status: 'error' }])
    expect(toasts()).toEqual(['upload.failed'])

    void uploadsOf(engine).retry('f', String(entries()[0]?.id))
    await tick()
    await answer(1, { name: 'a', url: '/a' })

    expect(entries()).toEqual([])
    expect(engine.values().f).toEqual([{ name: 'a', url: '/a' }])
  })

  it('is awaited by a save; a failed one stops the save', async () => {
    const { engine, answer } = open({ fileTypes: [] })
    const passed = () => engine.scope().data.passed
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    const first = engine.event('save', 'click')
    await tick()
    expect(passed()).toBeUndefined()
    await answer(0, { name: 'a', url: '/a' })
    await first
    expect(passed()).toEqual([{ name: 'a', url: '/a' }])

    void uploadsOf(engine).add('f', [aFile('b')])
    await tick()
    engine.setData('passed', null)
    const second = engine.event('save', 'click')
    await answer(1, null)
    await second
    expect(passed()).toBeNull()
  })

  it('that failed is tried once more by a save, which waits for it', async () => {
    const { engine, answer, sent } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, null)

    const saving = engine.event('save', 'click')
    await tick()
    expect(sent).toHaveLength(2)
    expect(engine.scope().data.passed).toBeUndefined()
    await answer(1, { name: 'a', url: '/a' })
    await saving

    expect(engine.scope().data.passed).toEqual([{ name: 'a', url: '/a' }])
  })

  it('that fails again stops the save: its field says so and is shown, until the file is removed', async () => {
    const { engine, answer, entries, toasts } = open({ fileTypes: [] })
    const revealed: string[] = []
    engine.onReveal(async (key) => void revealed.push(key))
    void uploadsOf(engine).add('f', [aFile('a'), aFile('b')])
    await tick()
    await answer(0, null)
    await answer(1, null)

    const saving = engine.event('save', 'click')
    await tick()
    await answer(2, null, 500)
    await answer(3, { name: 'b', url: '/b' })
    await saving

    const unsent = 'upload.unsent{"n":1}'
    expect(engine.scope().data.passed).toBeUndefined()
    expect([engine.node('f').error, toasts().at(-1), revealed]).toEqual([unsent, unsent, ['f']])

    uploadsOf(engine).remove('f', String(entries()[0]?.id))
    await tick()
    expect(engine.node('f').error).toBeNull()
    await engine.event('save', 'click')
    expect(engine.scope().data.passed).toEqual([{ name: 'b', url: '/b' }])
  })

  it('that failed stops no save once its field is hidden', async () => {
    const { engine, answer } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, null)
    engine.setOption('f', 'hidden', true)

    const saving = engine.event('save', 'click')
    await tick()
    await answer(1, null)
    await saving

    expect(engine.scope().data.passed).toEqual([])
  })

  it('that is removed is cancelled, and its answer is ignored', async () => {
    const { engine, sent, answer, entries } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()

    uploadsOf(engine).remove('f', String(entries()[0]?.id))
    await answer(0, { name: 'a', url: '/a' })

    expect(sent[0]?.signal?.aborted).toBe(true)
    expect(engine.values().f).toEqual([])
  })

  it.each([
    ['a record', { url: '/a' }, [{ name: 'a', url: '/a' }]],
    ['our envelope', { meta: { code: 200 }, data: { name: 'x', url: '/a' } }, [{ name: 'x', url: '/a' }]],
    ['a record under data', { data: { url: '/a' } }, [{ name: 'a', url: '/a' }]],
    ['a list', [{ name: 'x', url: '/a' }], [{ name: 'x', url: '/a' }]],
  ])('stores the value from %s', async (_name, body, stored) => {
    const { engine, answer } = open({ fileTypes: [] })
    void uploadsOf(engine).add('f', [aFile('a')])
    await tick()
    await answer(0, body as Json)
    expect(engine.values().f).toEqual(stored)
  })

  it.each([[{ meta: { code: 400, message: 'no' }, data: null }], ['text'], [7]])(
    'fails if the server answers %j',
    async (body) => {
      const { engine, answer, entries } = open({ fileTypes: [] })
      void uploadsOf(engine).add('f', [aFile('a')])
      await tick()
      await answer(0, body as Json)
      expect(entries()).toMatchObject([{ status: 'error' }])
      expect(engine.values().f).toEqual([])
    },
  )

  it('reports its progress and result to the page', async () => {
    const set = (name: string) => [{ do: 'set', data: name, value: 1 }]
    const on = { uploadSuccess: set('done'), uploadError: set('failed'), fileRemove: set('gone') }
    const { engine, answer } = open({ fileTypes: [], on: on as unknown as Json })
    void uploadsOf(engine).add('f', [aFile('a'), aFile('b')])
    await tick()

    await answer(0, { name: 'a', url: '/a' })
    await answer(1, null)
    uploadsOf(engine).remove('f', '/a')
    await tick()

    expect(engine.scope().data).toMatchObject({ done: 1, failed: 1, gone: 1 })
    expect(engine.values().f).toEqual([])
  })
})

describe('several files', () => {
  it('are stored in the order in which they were chosen, whichever arrives first, one after a retry', async () => {
    const { engine, answer, entries } = open({ limit: 9, fileTypes: [] })
    const stored = () => (engine.values().f as JsonObject[]).map(({ name }) => name)
    const places = () => entries().map(({ name, at }) => [name, at])
    const from = (name: string) => ({ name, url: `/${name}` })
    engine.change('f', [from('old')])
    void uploadsOf(engine).add(
      'f',
      ['1', '2', '3', '4'].map((name) => aFile(name)),
    )
    await tick()
    expect(places()).toEqual([
      ['1', 1],
      ['2', 1],
      ['3', 1],
      ['4', 1],
    ])

    await answer(2, from('3'))
    expect(stored()).toEqual(['old', '3'])
    expect(places()).toEqual([
      ['1', 1],
      ['2', 1],
      ['4', 2],
    ])
    await answer(0, null)
    await answer(3, [from('4a'), from('4b')])
    await answer(1, from('2'))
    expect(stored()).toEqual(['old', '2', '3', '4a', '4b'])

    uploadsOf(engine).remove('f', '/old')
    expect(places()).toEqual([['1', 0]])
    void uploadsOf(engine).add('f', [aFile('5')])
    await tick()
    void uploadsOf(engine).retry('f', String(entries()[0]?.id))
    await tick()
    await answer(5, from('1'))
    expect(places()).toEqual([['5', 5]])
    await answer(4, from('5'))

    expect(stored()).toEqual(['1', '2', '3', '4a', '4b', '5'])
  })
})

describe('a finished file', () => {
  it('can be removed even if it has no URL, and only that file', () => {
    const { engine } = open({ fileTypes: [] })
    engine.change('f', [{ name: 'a' }, { name: 'b' }, { name: 'c', url: '/c' }])

    uploadsOf(engine).remove('f', { name: 'b' })
    uploadsOf(engine).remove('f', { name: 'c', url: '/c' })

    expect(engine.values().f).toEqual([{ name: 'a' }])
  })
})

describe('the hooks of an upload', () => {
  it('are called in order with their arguments', async () => {
    const { engine, answer, calls } = open({ ...HOOKED, fileTypes: [] }, 'file-upload', {})
    void uploadsOf(engine).add('f', [aFile('a'), aFile('b')])
    await tick()
    await answer(0, { name: 'a', url: '/a' })
    await answer(1, null)
    uploadsOf(engine).remove('f', '/a')

    expect(calls.map(({ hook }) => hook)).toEqual([
      'onBeforeUpload',
      'onBeforeUpload',
      'onUploadSuccess',
      'onUploadError',
      'onFileRemove',
    ])
    expect(calls[2]?.args).toEqual([{ name: 'a', url: '/a' }, { name: 'a', size: 10, type: '' }, []])
    expect(calls[4]?.args).toEqual([{ name: 'a', url: '/a' }, []])
  })

  it.each([['<html>'], ['{"name":"a","url"'], [7], [null]])(
    'are the one of a failure alone if the answer cannot be read: %j',
    async (body) => {
      const page = open({ ...HOOKED, fileTypes: [] }, 'file-upload', {
        onUploadSuccess: { name: 'n', url: '/n' },
      })
      void uploadsOf(page.engine).add('f', [aFile('a')])
      await tick()
      await page.answer(0, { meta: { code: 200 }, data: body })
      await page.answer(0, body)

      expect(page.calls.map(({ hook }) => hook)).toEqual(['onBeforeUpload', 'onUploadError'])
      expect(page.entries()).toMatchObject([{ status: 'error' }])
      expect(page.engine.values().f).toEqual([])
    },
  )

  it('can reject a file, or rename it', async () => {
    const denied = open({ ...HOOKED, fileTypes: [] }, 'file-upload', { onBeforeUpload: false })
    await uploadsOf(denied.engine).add('f', [aFile('a')])
    expect(denied.sent).toEqual([])
    expect(denied.entries()).toEqual([])

    const renamed = open({ ...HOOKED, fileTypes: [] }, 'file-upload', { onBeforeUpload: { name: 'z.png' } })
    void uploadsOf(renamed.engine).add('f', [aFile('a')])
    await tick()
    expect(renamed.sent[0]?.file).toMatchObject({ name: 'z.png', handle: 'a' })
  })

  it('can set the stored value; an exception shows a message and keeps the file', async () => {
    const own = open({ ...HOOKED, fileTypes: [] }, 'file-upload', {
      onUploadSuccess: { name: 'n', url: '/n' },
    })
    void uploadsOf(own.engine).add('f', [aFile('a')])
    await tick()
    await own.answer(0, { name: 'a', url: '/a' })
    expect(own.engine.values().f).toEqual([{ name: 'n', url: '/n' }])

    const thrown = open({ ...HOOKED, fileTypes: [] }, 'file-upload', { onUploadSuccess: 'throw' })
    void uploadsOf(thrown.engine).add('f', [aFile('a')])
    await tick()
    await thrown.answer(0, { name: 'a', url: '/a' })
    expect(thrown.engine.values().f).toEqual([{ name: 'a', url: '/a' }])
    expect(thrown.toasts()).toEqual(['upload.scriptFailed'])
  })
})

describe('a file of a page whose scripts cannot be loaded', () => {
  it('is not sent unchecked: it waits for a retry, which checks it once', async () => {
    const page = open({ ...HOOKED, fileTypes: [] }, 'file-upload', { onBeforeUpload: 'absent' })
    await uploadsOf(page.engine).add('f', [aFile('a')])

    expect(page.sent).toEqual([])
    expect(page.entries()).toMatchObject([{ name: 'a', status: 'error' }])
    expect(page.toasts()).toEqual(['upload.refused{"reason":"data.scriptUnavailable"}'])

    page.scripted({ onBeforeUpload: { name: 'z.png' } })
    const [entry] = page.entries()
    void uploadsOf(page.engine).retry('f', String(entry?.id))
    await tick()
    expect(page.sent[0]?.file).toMatchObject({ name: 'z.png', handle: 'a' })
    await page.answer(0, null)
    void uploadsOf(page.engine).retry('f', String(entry?.id))
    await tick()
    expect(page.sent).toHaveLength(2)
    expect(page.calls.filter(({ hook }) => hook === 'onBeforeUpload')).toHaveLength(2)
  })

  it('is not stored otherwise than its script says: it waits for a retry, which asks it', async () => {
    const page = open({ ...HOOKED, fileTypes: [] }, 'file-upload', { onUploadSuccess: 'absent' })
    void uploadsOf(page.engine).add('f', [aFile('a')])
    await tick()
    await page.answer(0, { name: 'a', url: '/a' })

    expect(page.engine.values().f).toEqual([])
    expect(page.entries()).toMatchObject([{ name: 'a', status: 'error' }])
    expect(page.toasts()).toEqual(['upload.refused{"reason":"data.scriptUnavailable"}'])

    page.scripted({ onUploadSuccess: { name: 'n', url: '/n' } })
    void uploadsOf(page.engine).retry('f', String(page.entries()[0]?.id))
    await tick()
    await page.answer(1, { name: 'a', url: '/a' })
    expect(page.engine.values().f).toEqual([{ name: 'n', url: '/n' }])
    expect(page.entries()).toEqual([])
  })
})

describe('any sequence of uploads', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      act: fc.constantFrom(
        'succeed' as const,
        'fail' as const,
        'retry' as const,
        'drop' as const,
        'delete' as const,
      ),
      at: fc.nat(9),
    }),
  )

  it('ends with exactly the files that the server accepted and the user kept, and never exceeds the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (steps, limit) => {
          const { engine, sent, answer, entries } = open({ limit, fileTypes: [] })
          const kept = new Set<string>()
          let names = 0
          for (const given of steps) {
            const list = entries()
            if (given.act === 'add') {
              void uploadsOf(engine).add(
                'f',
                Array.from({ length: given.count }, () => aFile(`${++names}`)),
              )
            } else if (given.act === 'succeed' || given.act === 'fail') {
              const open = sent.map((_, i) => i).filter((i) => !sent[i]?.done)
              const i = open[given.at % Math.max(1, open.length)]
              if (i !== undefined) {
                const name = String(sent[i]?.file.name)
                const live = sent[i]?.signal?.aborted !== true
                await answer(i, given.act === 'succeed' ? { name, url: `/${name}` } : null)
                if (live && given.act === 'succeed') kept.add(`/${name}`)
              }
            } else if (given.act === 'retry' || given.act === 'drop') {
              const id = String(list[given.at % Math.max(1, list.length)]?.id)
              if (given.act === 'drop') uploadsOf(engine).remove('f', id)
              else void uploadsOf(engine).retry('f', id)
            } else {
              const url = [...kept][given.at % Math.max(1, kept.size)]
              if (url !== undefined) uploadsOf(engine).remove('f', url)
              if (url !== undefined) kept.delete(url)
            }
            await tick()
            const urls = (engine.values().f as JsonObject[]).map(({ url }) => url)
            expect([...urls].sort()).toEqual([...kept].sort())
            expect(urls.length + entries().length).toBeLessThanOrEqual(limit)
            expect(new Set(entries().map(({ id }) => id)).size).toBe(entries().length)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

const HOOKED = { onBeforeUpload: '1', onUploadSuccess: '1', onUploadError: '1', onFileRemove: '1' }

/** The action of a button that sends a form: `passed` holds the files it would send. */
const SAVE: Json = [
  { do: 'validate', then: [{ do: 'set', data: 'passed', value: { rule: { var: 'form.f' } } }] },
]

/** A page with one upload field `f`; the test answers each transfer itself. `scripted`: answers of hooks; 'throw' fails, 'absent': no engine. */
function open(options: JsonObject, type = 'file-upload', scripted?: Readonly<Record<string, Json>>) {
  const world = memoryWorld()
  const sent: (UploadRequest & { done?: boolean; resolve: (answer: Outcome<HttpResponse>) => void })[] = []
  const calls: HookCall[] = []
  const engine = createEngine({
    page: aPage([aWidget(type, 'f', options), aWidget('button', 'save', { on: { click: SAVE } })]),
    registry,
    ports: {
      ...world.ports,
      http: {
        ...world.ports.http,
        upload: (request) => new Promise((resolve) => sent.push({ ...request, resolve })),
      },
      script: {
        open: () => ({
          post: (_turn, _writes, fire) => void calls.push(...fire),
          setContext() {},
          async ask(call) {
            calls.push(call)
            const value = scripted?.[call.hook] ?? null
            if (value === 'absent') return { ok: false, error: failure('SCRIPT_UNAVAILABLE') }
            return value === 'throw'
              ? { ok: false, error: failure('SCRIPT_ERROR', { reason: 'thrown' }) }
              : { ok: true, value }
          },
          settled: async () => {},
          dispose() {},
        }),
      },
    },
  })
  return {
    engine,
    world,
    sent,
    calls,
    scripted(answers: Readonly<Record<string, Json>>) {
      scripted = answers
    },
    toasts: () => world.toasts.map(({ text }) => text),
    entries: () => (engine.node('f').options.uploads ?? []) as readonly JsonObject[],
    async answer(i: number, data: Json, status = 200) {
      const request = sent[i]
      if (request === undefined) throw new Error(`nothing was sent as number ${i}`)
      request.done = true
      request.resolve(
        data === null
          ? { ok: false, error: failure('NETWORK') }
          : { ok: true, value: { status, headers: {}, data } },
      )
      await tick()
    },
  }
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0))
