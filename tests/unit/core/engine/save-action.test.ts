import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import { failure } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Draft, WaitingWrite } from '../../../../runtime/core/ports.ts'
import { checkPage } from '../../../../src/server/kernel/pages/check.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import { inWords, memoryWorld, type Server } from '../../../support/memory-ports.ts'

const source = (uniqueName: string): JsonObject => ({
  uniqueName,
  requestURL: `/${uniqueName}`,
  requestMethod: 'post',
  body: { name: '{{ form.name }}', version: '{{ data.detail.record.version }}' },
  data: [
    { name: 'clientToken', type: 'Variable', value: 'DSV.clientToken' },
    { name: 'confirm', type: 'Variable', value: 'data.confirm' },
  ],
})

/** A form with one required field and a button that saves. */
function open(
  action: JsonObject,
  { server, id, draft }: { server?: Server; id?: string; draft?: Draft } = {},
) {
  const waiting: WaitingWrite[] = []
  const world = memoryWorld(server ? { server } : {})
  const page = aPage(
    [
      aWidget('input', 'name', { required: true, requiredHint: '请填写名称' }),
      aWidget('button', 'save', { on: { click: [{ do: 'save', ...action }] } }),
    ],
    { dataSources: ['create', 'update', 'send'].map(source) },
  )
  const put = async (write: WaitingWrite) => waiting.push(write) > 0
  const ports = { ...world.ports, outbox: { put, sent: async () => {} } }
  const engine = createEngine({
    page,
    registry,
    ports,
    ...(id === undefined ? {} : { params: { id } }),
    ...(draft === undefined ? {} : { draft }),
  })
  engine.setData('detail', { record: { name: '', version: 3 } })
  const sent = () => world.requests.map(({ url, body }) => [url, (body as JsonObject).confirm ?? null])
  return { engine, world, waiting, sent, tap: () => engine.event('save', 'click') }
}

const done = (): Json => ({ meta: { code: 200 }, data: { id: 'c1' } })
const offline: Server = () => ({ ok: false, error: failure('NETWORK') })

describe('the page’s message after a failure', () => {
  it('depends on whether the user has seen one', async () => {
    const told: Json = [{ do: 'toast', text: '{{ error.told }}' }]
    const heard: Server = () => ({ ok: false, error: { ...failure('HTTP_STATUS'), shown: true } })
    const unheard: Server = () => ({ ok: false, error: failure('REFUSED') })
    const said = []
    for (const server of [heard, unheard]) {
      const { engine, world, tap } = open({ dsName: 'send', else: told }, { server })
      engine.input('name', '甲')
      await tap()
      said.push(world.toasts.map(({ text }) => text))
    }

    expect(said).toEqual([['true'], ['false']])
  })

  it('gives way to the question whether to retry, if the network is down', async () => {
    const { engine, world, tap } = open({ dsName: 'send' }, { server: offline })
    engine.input('name', '甲')
    await tap()

    expect(world.requests).toMatchObject([{ tellsLoss: true }])
  })
})

describe('the action save', () => {
  it('sends nothing while a field is invalid, and names the field', async () => {
    const { world, tap } = open({})
    await tap()

    expect([world.requests, world.toasts.map(({ text }) => text)]).toEqual([[], ['请填写名称']])
  })

  it('creates a record, reports success, and goes back', async () => {
    const { engine, world, sent, tap } = open({ saved: '客户已保存' }, { server: done })
    engine.input('name', '星海')
    await tap()

    expect(sent()).toEqual([['/create', null]])
    expect([world.toasts.map(({ text }) => text), world.acts]).toEqual([['客户已保存'], ['back 1']])
    expect(engine.dirty()).toBe(false)
  })

  it('updates the record that the page edits, and continues as the page declares for each case', async () => {
    const action = {
      then: [{ do: 'redirect', url: '/detail?id={{ result.id }}' }],
      changed: [{ do: 'refresh' }, { do: 'back', delta: 2 }],
    }
    const made = open(action, { server: done })
    const edited = open(action, { server: done, id: 'c1' })
    for (const { engine, tap } of [made, edited]) {
      engine.input('name', '星海')
      await tap()
    }

    expect([made.sent(), edited.sent()]).toEqual([[['/create', null]], [['/update', null]]])
    expect([made.world.acts, edited.world.acts]).toEqual([['redirect /detail?id=c1'], ['back 2']])
  })

  it('sends both creations and updates to one source if the page names one', async () => {
    const { engine, sent, tap, world } = open({ dsName: 'send', then: [] }, { server: done, id: 'c1' })
    engine.input('name', '星海')
    await tap()

    expect([sent(), world.acts, world.toasts.map(({ text }) => text)]).toEqual([
      [['/send', null]],
      [],
      ['form.saved'],
    ])
  })

  it('shows no message of its own if the page shows one later', async () => {
    const { engine, world, tap } = open(
      { saved: '', then: [{ do: 'toast', text: '已提交' }] },
      { server: done },
    )
    engine.input('name', '星海')
    await tap()

    expect(world.toasts.map(({ text }) => text)).toEqual(['已提交'])
  })

  it('sends once on a double tap', async () => {
    const server: Server = () => new Promise((resolve) => setTimeout(() => resolve(done()), 5))
    const { engine, sent, tap } = open({}, { server })
    engine.input('name', '星海')
    await Promise.all([tap(), tap()])

    expect(sent()).toHaveLength(1)
  })
})

describe('a question of the server about a save', () => {
  const asks: Server = ({ body }) =>
    (body as JsonObject).confirm === undefined
      ? { meta: { code: 409, message: '号码重复' }, data: { confirm: 'DUPLICATE_PHONE', name: '远山' } }
      : done()

  it('is asked with the page’s text; yes sends the save again with the answer', async () => {
    const ask = { DUPLICATE_PHONE: { title: '号码重复', content: '与{{ error.data.name }}相同' } }
    const { engine, world, sent, tap } = open({ ask }, { server: asks })
    world.answers.push(true)
    engine.input('name', '星海')
    await tap()

    expect(world.modals.map(({ title, content }) => [title, content])).toEqual([['号码重复', '与远山相同']])
    expect(sent()).toEqual([
      ['/create', null],
      ['/create', ['DUPLICATE_PHONE']],
    ])
    expect(world.acts).toEqual(['back 1'])
  })

  it('is asked with its own text if the page has none; no changes nothing', async () => {
    const { engine, world, sent, tap } = open({}, { server: asks })
    world.answers.push(false)
    engine.input('name', '星海')
    await tap()

    expect(world.modals.map(({ content }) => content)).toEqual(['号码重复\nform.anyway'])
    expect([sent().length, world.acts, world.toasts, engine.dirty()]).toEqual([1, [], [], true])
  })
})

describe('a save without a network', () => {
  it('waits in the outbox if the page allows it, reports that, and goes back', async () => {
    const { engine, world, waiting, tap } = open({ queue: '新建 · {{ form.name }}' }, { server: offline })
    engine.input('name', '星海')
    await tap()

    expect(waiting.map(({ title }) => title)).toEqual(['新建 · 星海'])
    expect([world.toasts.map(({ text }) => text), world.acts]).toEqual([['form.queued'], ['back 1']])
  })

  it('queues a change if the page has a label for it, with the record it was based on', async () => {
    const action = { queue: '新建', queueChanged: '编辑 · {{ form.name }}' }
    const { engine, world, waiting, tap } = open(action, { server: offline, id: 'c1' })
    engine.input('name', '星海')
    await tap()

    expect(waiting.map(({ title, draft }) => [title, draft.base])).toEqual([
      ['编辑 · 星海', { name: '', version: 3 }],
    ])
    expect([world.toasts.map(({ text }) => text), world.acts]).toEqual([['form.queued'], ['back 1']])
  })

  it('queues no other change of a record, and keeps the input', async () => {
    const { engine, world, waiting, tap } = open({ queue: '新建' }, { server: offline, id: 'c1' })
    world.answers.push(false)
    engine.input('name', '星海')
    await tap()

    expect([waiting, world.acts, engine.dirty()]).toEqual([[], [], true])
    expect(world.toasts).toEqual([])
  })

  it('queues a record created in a sheet of a detail page, since it has its own source', async () => {
    const action = {
      dsName: 'send',
      queue: '通话 · {{ form.name }}',
      queued: [{ do: 'refresh' }],
    }
    const { engine, waiting, world, tap } = open(action, { server: offline, id: 'c1' })
    engine.input('name', '星海')
    await tap()

    expect([waiting.map(({ title }) => title), world.modals]).toEqual([['通话 · 星海'], []])
  })
})

describe('a save that is refused', () => {
  it('shows the faults at their fields', async () => {
    const error = { ...failure('INVALID_INPUT'), message: '参数有误', fields: { name: '名称已存在' } }
    const server: Server = () => ({ ok: false, error })
    const { engine, world, tap } = open({}, { server })
    engine.input('name', '星海')
    await tap()

    expect(engine.node('name').error).toBe('名称已存在')
    expect([world.toasts.map(({ text }) => text), world.acts]).toEqual([['参数有误'], []])
  })

  it('shows the reason once', async () => {
    const server: Server = () => ({ meta: { code: 403, message: '没有权限' } })
    const { engine, world, tap } = open({}, { server })
    engine.input('name', '星海')
    await tap()

    expect(world.toasts.map(({ text }) => text)).toEqual(['没有权限'])
  })

  it('offers to load the other user’s version if the server does not send it', async () => {
    const server: Server = ({ url }) =>
      url === '/update'
        ? { meta: { code: 409, message: '已变更', error: { type: 'VERSION_CONFLICT' } } }
        : done()
    const { engine, world, tap } = open({}, { server, id: 'c1' })
    world.answers.push(true)
    engine.input('name', '星海')
    await tap()

    expect(world.modals.map(({ content }) => content)).toEqual(['form.stale'])
    expect([world.toasts, world.acts, engine.dirty()]).toEqual([[], [], true])
  })
})

describe('a change that was queued', () => {
  const typed = { values: { name: '星海科技' }, rows: {}, base: { name: '星海', version: 2 } }
  const opened = (now: JsonObject | null) => {
    const found = open({}, { server: done, id: 'c1', draft: typed })
    found.engine.setData('detail', now === null ? null : { record: now })
    return { ...found, versions: () => found.world.requests.map(({ body }) => (body as JsonObject).version) }
  }

  it('is sent with the version it was based on', async () => {
    const { tap, versions } = opened({ name: '星海', version: 2 })
    await tap()

    expect(versions()).toEqual([2])
  })

  it('keeps that version even if the record cannot be read', async () => {
    const { tap, versions } = opened(null)
    await tap()

    expect(versions()).toEqual([2])
  })

  it('is shown beside the other user’s version, every time, until the user has decided', async () => {
    const { engine, tap, versions } = opened({ name: '星海集团', version: 5 })
    await tap()
    engine.dismissConflict()
    await tap()

    expect(inWords(engine)?.fields).toEqual([
      { name: 'name', label: 'name', mine: '星海科技', theirs: '星海集团' },
    ])
    expect(versions()).toEqual([])

    await engine.resolveConflict([])

    expect(versions()).toEqual([5])
  })

  it('is applied to a version in which only other fields changed', async () => {
    const { tap, versions } = opened({ name: '星海', version: 5 })
    await tap()

    expect(versions()).toEqual([5])
  })

  it('stores the version it was based on in its draft, until it is saved or discarded', async () => {
    const { engine } = opened({ name: '星海', version: 5 })

    expect(engine.draft().base).toEqual(typed.base)
    engine.reset()
    expect(engine.draft().base).toBeUndefined()
  })
})

describe('the check of a save action', () => {
  const faults = (action: JsonObject, params: readonly string[] = []) =>
    checkPage({
      formConfig: {
        jsonVersion: -3,
        page: {
          title: 't',
          params: params.map((name) => ({ name, type: 'String', required: false })),
        },
        dataSources: [{ uniqueName: 'create', requestURL: '/mini/x', requestMethod: 'post' }],
      },
      widgetList: [
        {
          type: 'button',
          options: { name: 'save', label: '保存', on: { click: [{ do: 'save', ...action }] } },
        },
      ],
    }).map(({ code, message }) => `${code} ${message}`)

  it('knows its keys, and the sources that it sends to', () => {
    expect(faults({ saved: '好', queue: '新', queueChanged: '改' })).toEqual([])
    expect(faults({ saved: '好' }, ['id']).join()).toMatch(/^DATA_SOURCE_UNKNOWN .*update/)
    expect(faults({ create: 'make' }).join()).toMatch(/^DATA_SOURCE_UNKNOWN .*make/)
    expect(faults({ save: '好' }).join()).toMatch(/^ACTION_INVALID .*save/)
  })
})
