import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { Engine } from '../../../../runtime/core/engine.ts'
import { failure } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { WaitingWrite } from '../../../../runtime/core/ports.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import {
  collides,
  inWords,
  type MemoryWorld,
  memoryWorld,
  type Server,
} from '../../../support/memory-ports.ts'

describe('submit', () => {
  it('sends nothing while a field is invalid, shows a message and scrolls to the field', async () => {
    const { engine, world } = open()

    const revealed: string[] = []
    engine.onReveal(async (key) => void revealed.push(key))
    await engine.event('save', 'click')

    expect(world.requests).toEqual([])
    expect(engine.node('name').error).toBe('请填写名称')
    expect(world.toasts.map(({ text }) => text)).toEqual(['请填写名称'])
    expect(revealed).toEqual(['name'])
  })

  it.each([
    ['toast', ['请填写一'], []],
    ['modal', [], ['请填写一']],
    ['undertext', [], []],
  ])('shows the first error as %s if the form declares it', async (errShowType, toasts, modals) => {
    const world = memoryWorld()
    const page = aPage(
      ['一', '二'].map((name) => aWidget('input', name, { required: true, requiredHint: `请填写${name}` })),
      { errShowType },
    )
    const engine = createEngine({ page, registry, ports: world.ports })
    expect(await engine.validate()).toHaveLength(2)
    expect(world.toasts.map(({ text }) => text)).toEqual(toasts)
    expect(world.modals.map(({ title, content }) => [title, content])).toEqual(
      modals.map((content) => ['popup.title', content]),
    )
    expect(engine.node('二').error).toBe('请填写二')
  })

  it('sends the values once, then continues', async () => {
    const { engine, world } = open(() => ({ meta: { code: 200 }, data: { id: 'c1' } }))
    engine.input('name', '星海')

    await engine.event('save', 'click')

    expect(world.requests.map(({ body }) => body)).toEqual([
      { name: '星海', version: 1, clientToken: expect.any(String) },
    ])
    expect(world.acts).toEqual(['redirect /detail?id=c1'])
    expect(engine.dirty()).toBe(false)
  })

  it('returns the new record to the page that asked for it, without its other actions', async () => {
    const { engine, world } = open(() => ({ meta: { code: 200 }, data: { id: 'c1' } }))
    const made: Json[] = []
    world.ports.navigator.answer = (record) => made.push(record) > 0
    engine.input('name', '星海')

    await engine.event('save', 'click')

    expect(made).toEqual([{ id: 'c1' }])
    expect([world.acts, engine.dirty()]).toEqual([[], false])
  })

  it('keeps input made before a save in the next version of the page, where it counts as saved', async () => {
    const { engine } = open(() => ({ meta: { code: 200 }, data: { id: 'c1' } }), {}, ['keyword'])
    engine.input('keyword', '打印机')
    engine.input('name', '星海')
    await engine.event('save', 'click')
    engine.input('name', '星海二')

    const { engine: next } = open(undefined, { draft: engine.typed() }, ['keyword'])

    expect(next.values()).toMatchObject({ keyword: '打印机', name: '星海二' })
    expect(next.draft().values).toEqual({ name: '星海二' })
    expect(open(undefined, { draft: next.typed() }, ['keyword']).engine.values()).toMatchObject({
      keyword: '打印机',
    })
    next.setData('detail', { record: { keyword: 'what is stored', name: 'what is stored' } })
    expect(next.values()).toMatchObject({ keyword: 'what is stored', name: '星海二' })
  })

  it('creates one record on a double tap', async () => {
    const { engine, world } = open(
      () =>
        new Promise((resolve) => setTimeout(() => resolve({ meta: { code: 200 }, data: { id: 'c1' } }), 5)),
    )
    engine.input('name', '星海')

    await Promise.all([engine.event('save', 'click'), engine.event('save', 'click')])

    expect(world.requests).toHaveLength(1)
  })

  it('repeats the token for a retry after a lost answer, and uses a new one for changed content', async () => {
    const lost = { ok: false as const, error: failure('NETWORK') }
    const { engine, world } = open(() => lost)
    engine.input('name', '星海')
    world.answers.push(true, false)

    await engine.event('save', 'click')
    engine.input('name', '星海科技')
    await engine.event('save', 'click')

    const tokens = world.requests.map(({ body }) => (body as JsonObject).clientToken)
    expect(tokens[0]).toBe(tokens[1])
    expect(tokens[2]).not.toBe(tokens[0])
    expect(engine.values().name).toBe('星海科技')
    expect(engine.dirty()).toBe(true)
  })

  it('shows the server’s field messages at the fields', async () => {
    const refusal = {
      ok: false as const,
      error: { ...failure('INVALID_INPUT'), message: '请检查', fields: { name: '名称已存在' } },
    }
    const { engine } = open(() => refusal)
    engine.input('name', '星海')

    await engine.event('save', 'click')

    expect(engine.node('name').error).toBe('名称已存在')
  })

  it('shows the error of a value with several parts at the first visible part', async () => {
    const error = { ...failure('INVALID_INPUT'), message: '请检查', fields: { 'ext.place': '请填写位置' } }
    const world = memoryWorld({ server: () => ({ ok: false, error }) })
    const place = { lng: '{{ form.place_lng }}', address: '{{ form.place_address }}' }
    const page = aPage(
      [
        aWidget('number', 'place_lng', { hidden: true }),
        aWidget('input', 'place_address'),
        aWidget('button', 'save', { on: { click: [{ do: 'submit', dsName: 'save' }] } }),
      ],
      {
        dataSources: [
          { uniqueName: 'save', requestURL: '/save', requestMethod: 'post', body: { ext: { place } } },
        ],
      },
    )
    const engine = createEngine({ page, registry, ports: world.ports })

    await engine.event('save', 'click')

    expect(engine.node('place_address').error).toBe('请填写位置')
  })
})

describe('conflicting changes of one record', () => {
  const theirs = { name: '星海集团', version: 2 }
  const server = collides(theirs)

  it('are shown side by side, and no input is lost', async () => {
    const { engine } = open(server)
    engine.input('name', '星海科技')

    await engine.event('save', 'click')

    expect(inWords(engine)?.fields).toEqual([
      { name: 'name', label: 'name', mine: '星海科技', theirs: '星海集团' },
    ])
    expect(engine.values().name).toBe('星海科技')
  })

  it.each([
    [[], '星海科技'],
    [['name'], '星海集团'],
  ])('by accepting %j of theirs saves %s on their version', async (taken, saved) => {
    const { engine, world } = open(server)
    engine.input('name', '星海科技')
    await engine.event('save', 'click')

    await engine.resolveConflict(taken)

    expect(world.requests.at(-1)?.body).toMatchObject({ name: saved, version: 2 })
    expect(engine.conflict()).toBeNull()
    expect(world.acts).toEqual(['redirect /detail?id=c1'])
  })
})

it('what collided is asked about again when its draft is opened later, on the newer record', async () => {
  const first = open(collides({ name: '星海集团', version: 2 }))
  first.engine.input('name', '星海科技')
  await first.engine.event('save', 'click')
  first.engine.dismissConflict()

  const { engine, world } = open(undefined, { draft: first.engine.draft() })
  engine.setData('detail', { record: { name: '星海集团', version: 2 } })
  await engine.event('save', 'click')

  expect(inWords(engine)?.fields).toMatchObject([{ mine: '星海科技', theirs: '星海集团' }])
  expect(world.requests).toEqual([])
})

describe('a field that only the other user changed', () => {
  const theirs = { name: '星海集团', remark: '他写的', hiddenOne: '新的', version: 2 }
  const server = collides(theirs)
  const collided = async () => {
    const opened = open(server, {}, ['remark', 'hiddenOne'])
    opened.engine.input('name', '星海科技')
    await opened.engine.event('save', 'click')
    return opened
  }

  it('is no question: it is said what is taken over; a hidden field is not shown', async () => {
    const { engine } = await collided()

    expect(inWords(engine)?.fields.map(({ name }) => name)).toEqual(['name'])
    expect(inWords(engine)?.taken).toEqual([{ name: 'remark', label: 'remark', mine: '', theirs: '他写的' }])
  })

  it.each([[[]], [['name']]])('is kept, visible or hidden, with %j chosen of theirs', async (chosen) => {
    const { engine, world } = await collided()

    await engine.resolveConflict(chosen)

    expect(world.requests.at(-1)?.body).toMatchObject({
      name: chosen.length > 0 ? '星海集团' : '星海科技',
      remark: '他写的',
      hiddenOne: '新的',
    })
  })

  it('is kept with nothing in question', async () => {
    const { engine, world } = open(collides({ name: '星海', remark: '他写的', version: 2 }), {}, ['remark'])
    engine.setData('detail', { record: { name: '星海', version: 1 } })
    engine.input('name', '星海科技')
    await engine.event('save', 'click')
    expect(inWords(engine)?.fields).toEqual([])

    await engine.resolveConflict([])

    expect(world.requests.at(-1)?.body).toMatchObject({ name: '星海科技', remark: '他写的', version: 2 })
  })
})

describe('data from a source', () => {
  it('fills only fields without input', () => {
    const { engine } = open()
    engine.input('name', '我写的')

    engine.setData('detail', { record: { name: '旧的', version: 3 } })

    expect(engine.values()).toMatchObject({ name: '我写的' })
    expect(engine.scope().data).toMatchObject({ detail: { record: { version: 3 } } })
  })
})

it('runs the actions of a field on a committed change, not on a repeated one', () => {
  const world = memoryWorld()
  const change: Json = [{ do: 'toast', text: '现在是 {{ form.kind }}' }]
  const engine = createEngine({
    page: aPage([aWidget('select', 'kind', { on: { change } })]),
    registry,
    ports: world.ports,
  })

  engine.change('kind', 'a')
  engine.change('kind', 'a')

  expect(world.toasts.map(({ text }) => text)).toEqual(['现在是 a'])
})

it('gives way to a draft, which restores the input', () => {
  const first = open().engine
  first.input('name', '写了一半')

  const again = open(undefined, { draft: first.draft() }).engine

  expect(again.values().name).toBe('写了一半')
  expect(again.dirty()).toBe(true)
})

it('is overwritten by a tap on a widget; a value set while the page opens is not input', async () => {
  const set = (value: string): Json => ({ do: 'set', field: 'name', value })
  const more = (on: Json, settings: JsonObject) => ({
    page: aPage([aWidget('input', 'name'), aWidget('button', 'b', { on })], { page: settings }),
  })
  const opened = open(undefined, more({}, { on: { load: [set('新')] } })).engine
  const tapped = open(undefined, more({ click: [set('{{ args.0 }}')] }, {})).engine

  await opened.pageEvent('load')
  await tapped.event('b', 'click', { args: ['明天'] })

  expect([opened.values().name, opened.dirty()]).toEqual(['新', false])
  expect([tapped.values().name, tapped.draft().values]).toEqual(['明天', { name: '明天' }])
})

function open(
  server?: Server,
  more: Partial<Parameters<typeof createEngine>[0]> = {},
  others: readonly string[] = [],
): { engine: Engine; world: MemoryWorld } {
  const world = memoryWorld(server ? { server } : {})
  const save: Json = [
    {
      do: 'submit',
      dsName: 'save',
      base: 'data.detail.record',
      then: [{ do: 'redirect', url: '/detail?id={{ result.id }}' }],
    },
  ]
  const page = aPage(
    [
      aWidget('input', 'name', { required: true, requiredHint: '请填写名称' }),
      ...others.map((name) => aWidget('input', name, { hidden: name.startsWith('hidden') })),
      aWidget('button', 'save', { on: { click: save } }),
    ],
    {
      dataSources: [
        { uniqueName: 'detail', requestURL: '/detail', requestMethod: 'get', auto: true, fill: 'record' },
        {
          uniqueName: 'save',
          requestURL: '/save',
          requestMethod: 'post',
          body: {
            ...Object.fromEntries(others.map((name) => [name, `{{ form.${name} }}`])),
            name: '{{ form.name }}',
            version: '{{ data.detail.record.version }}',
          },
          data: [{ name: 'clientToken', type: 'Variable', value: 'DSV.clientToken' }],
        },
      ],
    },
  )
  const engine = createEngine({ page, registry, ports: world.ports, ...more })
  const blank = Object.fromEntries(others.map((name) => [name, '']))
  if (!more.draft) engine.setData('detail', { record: { ...blank, name: '', version: 1 } })
  return { engine, world }
}

describe('a write that does not reach the server', () => {
  it('waits in the outbox if the page allows it, and completes the form', async () => {
    const { engine, waiting, world } = openQueueing()
    engine.input('name', '星海')

    await engine.event('save', 'click')

    const [sent] = world.requests.map(({ body }) => body as JsonObject)
    expect(waiting).toEqual([
      {
        request: { url: '/save', method: 'POST', body: { name: '星海', clientToken: sent?.clientToken } },
        title: '新建 · 星海',
        text: '',
        draft: { values: { name: '星海' }, rows: {} },
      },
    ])
    expect(world.modals).toEqual([])
    expect(world.acts).toEqual(['back 1'])
    expect(engine.dirty()).toBe(false)
  })

  it('stays in the form if the device cannot store it, and the user is told to keep the page open', async () => {
    const { engine, world } = openQueueing(false)
    engine.input('name', '星海')

    await engine.event('save', 'click')

    expect(world.modals.map(({ content }) => content)).toEqual(['form.unkept'])
    expect(engine.values()).toMatchObject({ name: '星海' })
    expect(engine.dirty()).toBe(true)
  })

  it('of a page without drafts is reported as not sent, without claiming that it is stored', async () => {
    const world = memoryWorld({ server: () => ({ ok: false, error: failure('NETWORK') }) })
    const on = { click: [{ do: 'submit', dsName: 'save' }] }
    const page = aPage([aWidget('button', 'agree', { on })], {
      page: { draft: false },
      dataSources: [{ uniqueName: 'save', requestURL: '/save', requestMethod: 'post' }],
    })
    const engine = createEngine({ page, registry, ports: world.ports })

    await engine.event('agree', 'click')

    expect(world.modals.map(({ content }) => content)).toEqual(['form.unsent'])
  })
})

function openQueueing(stores = true) {
  const waiting: WaitingWrite[] = []
  const world = memoryWorld({ server: () => ({ ok: false, error: failure('NETWORK') }) })
  const put = async (write: WaitingWrite) => {
    if (stores) waiting.push(write)
    return stores
  }
  const on = {
    click: [{ do: 'submit', dsName: 'save', queue: '新建 · {{ form.name }}', queued: [{ do: 'back' }] }],
  }
  const page = aPage([aWidget('input', 'name', {}), aWidget('button', 'save', { on })], {
    dataSources: [
      {
        uniqueName: 'save',
        requestURL: '/save',
        requestMethod: 'post',
        body: 'form',
        data: [{ name: 'clientToken', type: 'Variable', value: 'DSV.clientToken' }],
      },
    ],
  })
  const ports = { ...world.ports, outbox: { put, sent: async () => {} } }
  return { engine: createEngine({ page, registry, ports }), waiting, world }
}

describe('a question of the server', () => {
  const ASKED = {
    meta: { code: 400, message: '号码重复' },
    data: { confirm: 'DUPLICATE_PHONE', name: '星海' },
  }
  const ask = {
    DUPLICATE_PHONE: { title: '号码重复', content: '与「{{ error.data.name }}」相同，仍要保存吗？' },
  }
  const openAsking = (confirm: boolean, answers: readonly Json[]) => {
    const left = [...answers]
    const world = memoryWorld({ server: () => left.shift() ?? null })
    world.answers.push(confirm, confirm)
    const page = aPage(
      [
        aWidget('button', 'save', {
          on: { click: [{ do: 'submit', dsName: 'create', ask, then: [{ do: 'toast', text: '已保存' }] }] },
        }),
      ],
      {
        dataSources: [
          {
            uniqueName: 'create',
            requestURL: '/mini/create',
            requestMethod: 'post',
            data: [{ name: 'confirm', type: 'Variable', value: 'data.confirm' }],
          },
        ],
      },
    )
    return { world, engine: createEngine({ page, registry, ports: world.ports }) }
  }
  const ok = { meta: { code: 200 }, data: { id: '1' } }

  it('is asked with the action’s text; yes sends the same write again with the answer', async () => {
    const { engine, world } = openAsking(true, [ASKED, ok])

    await engine.event('save', 'click')

    expect(world.modals.map(({ title, content }) => [title, content])).toEqual([
      ['号码重复', '与「星海」相同，仍要保存吗？'],
    ])
    expect(world.requests.map(({ body }) => body)).toEqual([{}, { confirm: ['DUPLICATE_PHONE'] }])
    expect(world.toasts.map((one) => one.text)).toContain('已保存')
  })

  it('cancels the write on no', async () => {
    const { engine, world } = openAsking(false, [ASKED, ok])

    await engine.event('save', 'click')

    expect(world.requests).toHaveLength(1)
    expect(world.toasts).toEqual([])
  })

  it('is a failure if it is repeated after yes, and the answer is forgotten', async () => {
    const { engine, world } = openAsking(true, [ASKED, ASKED, ok])

    await engine.event('save', 'click')
    expect(world.requests).toHaveLength(2)
    expect(world.toasts.map((one) => one.text)).toEqual(['号码重复'])

    await engine.event('save', 'click')
    expect(world.requests.at(-1)?.body).toEqual({ confirm: null })
  })
})
