import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createText } from '../../../runtime/browser/catalogue-text.ts'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { uploadsOf } from '../../../runtime/core/engine/uploads.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { FileHandle, HookCall, Outcome } from '../../../runtime/core/ports.ts'
import { downloadFile } from '../../../runtime/net/download.ts'
import { createHttp } from '../../../runtime/net/http.ts'
import texts from '../../../schemas/text/zh-hans.json'
import { createFeedback } from '../../../src/app/device/feedback.ts'
import { createProductHttp } from '../../../src/app/net/api.ts'
import { createSession } from '../../../src/app/session/session.ts'
import { createSessionOver } from '../../../src/app/session/session-over.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import type { Fault } from '../../support/cloud-server/answer.ts'
import { fetchTransfer } from '../../support/cloud-server/fetch-transfer.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { startUnrulyServer, type UnrulyServer } from '../../support/unruly-server.ts'

const PATH = '/mini/thing'
let server: UnrulyServer
beforeAll(async () => {
  server = await startUnrulyServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('a product call', () => {
  it.each<[string, Fault, string, number | undefined, string]>([
    ['slow', { kind: 'slow', delayMs: 1_000 }, 'TIMEOUT', 5, '网络超时，请稍后重试'],
    ['dropped', { kind: 'drop' }, 'NETWORK', 5, '网络连接失败，请检查网络'],
    ['cut in the middle', { kind: 'cut' }, 'NETWORK', 5, '网络连接失败，请检查网络'],
    ['broken JSON', { kind: 'broken' }, 'ANSWER_INVALID', 200, '服务器出错了，请稍后重试'],
    [
      'a page instead of JSON',
      { kind: 'text', text: '<html>' },
      'ANSWER_INVALID',
      200,
      '服务器出错了，请稍后重试',
    ],
    ['huge', { kind: 'huge', bytes: 200_000 }, 'ANSWER_INVALID', undefined, '服务器出错了，请稍后重试'],
    ['redirected', { kind: 'redirect', status: 302, to: '/away' }, 'NETWORK', 5, '网络连接失败，请检查网络'],
    [
      'moved for good',
      { kind: 'redirect', status: 301, to: '/away' },
      'NETWORK',
      5,
      '网络连接失败，请检查网络',
    ],
    ['500 with words', status(500, { error: '文件太大' }), 'HTTP_STATUS', 500, '文件太大'],
    ['500 without words', status(500, null), 'HTTP_STATUS', 500, '服务器出错了，请稍后重试'],
    ['404 of a proxy', status(404, 'not here'), 'HTTP_STATUS', 404, '错误'],
  ])('that is %s is rejected, and the user sees one message', async (_, fault, code, wire, toast) => {
    const app = aShell(fault.kind === 'slow' ? 300 : undefined)
    server.spoil(PATH, fault)

    const outcome = await app.http.send({ url: app.url(PATH), method: 'POST', body: { a: 1 } })

    expect(outcome).toMatchObject({ ok: false, error: { code, shown: true, message: toast } })
    expect(outcome.ok ? null : outcome.error.status).toBe(wire)
    expect(app.toasts).toEqual([toast])
    expect(server.seen.filter((one) => one.path === PATH)).toHaveLength(1)
    expect(server.seen.filter((one) => one.path === '/away')).toEqual([])
  })

  it.each<[string, Fault, number]>([
    ['dropped', { kind: 'drop' }, 3],
    ['502', status(502, null), 3],
    ['500', status(500, null), 1],
    ['cut in the middle', { kind: 'cut' }, 3],
    ['huge', { kind: 'huge', bytes: 200_000 }, 1],
  ])('with a clientToken is retried if a retry can help: %s', async (_, fault, times) => {
    const app = aShell()
    server.spoil(PATH, fault)

    await app.http.send({ url: app.url(PATH), method: 'POST', body: { clientToken: 'x' } })

    expect(server.seen).toHaveLength(times)
    expect(app.toasts).toHaveLength(1)
  })

  it.each([401, 402, 403])(
    'answered with meta code %i ends the session: the message at once, the login page a second later',
    async (code) => {
      const app = aShell()
      server.answer(PATH, envelope(code, ''))

      const outcome = await app.http.send({ url: app.url(PATH), method: 'GET' })

      expect(outcome).toMatchObject({ ok: false, error: { code: 'SESSION_OVER', status: code, shown: true } })
      expect(app.toasts).toEqual(['登录已过期，请重新登录'])
      expect(app.session.token()).toBeNull()
      await app.clock.pass(999)
      expect(app.relaunched).toEqual([])
      await app.clock.pass(1)
      expect(app.relaunched).toEqual(['/pages/login/login?redirect=%2Fpages%2Fmy%2Fabout'])
    },
  )

  it.each([
    [400, 'INVALID_INPUT'],
    [409, 'CONFLICT'],
    [500, 'REFUSED'],
  ])('answered with meta code %i returns the server’s text to the caller', async (code, kind) => {
    const app = aShell()
    server.answer(PATH, envelope(code, '不行'))

    const outcome = await app.http.send({ url: app.url(PATH), method: 'POST', body: {} })

    expect(outcome).toMatchObject({ ok: false, error: { code: kind, status: code, message: '不行' } })
    expect(app.toasts).toEqual([])
  })

  it('that is aborted rejects and shows nothing', async () => {
    const app = aShell()
    const controller = new AbortController()
    server.spoil(PATH, { kind: 'slow', delayMs: 1_000 })

    const pending = app.http.send({ url: app.url(PATH), method: 'GET', signal: controller.signal })
    setTimeout(() => controller.abort(), 20)

    expect(await pending).toMatchObject({ ok: false, error: { code: 'ABORTED', status: 600003 } })
    expect(app.toasts).toEqual([])
  })
})

describe('reads by the shell itself', () => {
  it.each([
    ['with words', '菜单服务维护中', '菜单服务维护中'],
    ['without words', '', '获取菜单失败，请重试'],
  ])('handle a refused user detail %s', async (_, message, toast) => {
    const app = aShell()
    server.answer('/mini/user/detail', envelope(500, message))

    await app.session.refresh()

    expect(app.toasts).toEqual([toast])
  })

  it('handle a refused dictionary', async () => {
    const app = aShell()
    server.answer('/engine/web/dict/list', envelope(500, '字典服务维护中'))

    await app.session.refresh()

    expect(app.toasts).toEqual(['字典服务维护中'])
  })
})

describe('an upload', () => {
  it.each<[string, Fault, string]>([
    ['dropped', { kind: 'drop' }, '上传失败，请检查网络'],
    ['cut in the middle', { kind: 'cut' }, '上传失败，请检查网络'],
    ['500', status(500, { error: '系统出错了' }), '上传失败：系统出错了'],
    ['refused', status(200, envelope(413, '太大')), '上传失败：太大'],
    ['a page instead of JSON', { kind: 'text', text: '<html>' }, '上传失败：服务器出错了，请稍后重试'],
    ['an answer without url', status(200, envelope(200, '')), '上传失败：服务器出错了，请稍后重试'],
  ])('%s: tap to retry, and a toast that names the cause', async (_, fault, toast) => {
    const app = aShell()
    server.spoil('/mini/upload', fault)
    const form = aForm(app)

    await uploadsOf(form.engine).add('f', [aFile()])

    expect(form.uploads()).toMatchObject([{ status: 'error', progress: 0 }])
    expect(app.toasts.at(-1)).toBe(toast)
    expect(form.engine.values().f).toEqual([])
  })

  it('whose own success script throws reports that, and keeps the file', async () => {
    const app = aShell()
    server.answer('/mini/upload', { ...envelope(200, ''), data: { url: '/f/1', name: 'a.png' } })
    const form = aForm(app, 'throw new Error("x")')

    await uploadsOf(form.engine).add('f', [aFile()])

    expect(app.toasts).toEqual(['自定义事件执行错误'])
    expect(form.engine.values().f).toMatchObject([{ url: '/f/1', name: 'a.png' }])
  })
})

describe('a download', () => {
  it('takes the name from the server, else from its URL, and reports its progress', async () => {
    const seen: number[] = []
    server.answer('/files/report%20a.pdf', { bytes: 'x'.repeat(5_000) })

    const file = await downloadFile({
      url: `${server.origin}/files/report%20a.pdf?x=1`,
      onProgress: ({ written }) => seen.push(written),
    })

    expect(file).toMatchObject({ ok: true, value: { status: 200, name: 'report%20a.pdf' } })
    expect(file.ok && file.value.blob.size).toBe(seen.at(-1))
    expect(seen.at(-1)).toBeGreaterThan(5_000)
  })

  it.each<[string, Fault, string, number]>([
    ['slow', { kind: 'slow', delayMs: 1_000 }, 'TIMEOUT', 5],
    ['dropped', { kind: 'drop' }, 'NETWORK', 602001],
    ['cut in the middle', { kind: 'cut' }, 'NETWORK', 602001],
    ['not there', status(404, null), 'HTTP_STATUS', 404],
  ])('fails on %s with its error code', async (_, fault, code, wire) => {
    server.spoil('/file', fault)

    const file = await downloadFile({ url: `${server.origin}/file`, timeoutMs: 200 })

    expect(file).toMatchObject({ ok: false, error: { code, status: wire } })
  })

  it('that is aborted fails with code 600003', async () => {
    const controller = new AbortController()
    server.spoil('/file', { kind: 'slow', delayMs: 1_000 })

    const pending = downloadFile({ url: `${server.origin}/file`, signal: controller.signal })
    controller.abort()

    expect(await pending).toMatchObject({ ok: false, error: { code: 'ABORTED', status: 600003 } })
  })
})

/** The shell's own protocol, session and feedback on the real Http port. */
function aShell(timeoutMs = 5_000) {
  const clock = fakeClock(1_000)
  const text = createText(texts)
  const feedback = createFeedback({ clock, toastMs: 1_500, loadingText: () => '' })
  const toasts: string[] = []
  feedback.state.subscribe(() => {
    const { notice } = feedback.state.get()
    if (notice && notice.icon !== 'loading') toasts.push(notice.text)
  })
  const stored = new Map<string, string>([['token', 'secret']])
  const relaunched: string[] = []
  const url = (path: string) => `${server.origin}${path}`
  const session = createSession({
    storage: createTypedStorage({
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => stored.set(key, value),
      removeItem: (key) => stored.delete(key),
    }),
    perVisit: createTypedStorage({ getItem: () => null, setItem() {}, removeItem() {} }),
    clock,
    newId: () => 'sign-in',
    feedback,
    text,
    limits: { shortcut: { max: 4 }, common: { max: 8 }, bottom: { max: 3 } },
    urls: {
      detail: url('/mini/user/detail'),
      dict: url('/engine/web/dict/list'),
      logout: url('/mini/logout'),
    },
    onIdentityChange() {},
    onTokenChange() {},
    onSigningOut: async () => true,
    onLeave() {},
    onSignedOut() {},
  })
  const { http, quiet } = createProductHttp({
    http: createHttp({ retryDelayMs: 1, mostBytes: 100_000, transfer: fetchTransfer(fetch) }),
    online: () => true,
    origin: server.origin,
    prefixes: ['/mini/', '/engine/'],
    timeoutMs,
    token: session.token,
    headers: {},
    feedback,
    text,
    onSessionOver: createSessionOver({
      isOurs: () => true,
      clock,
      feedback,
      delayMs: 1_000,
      loginPath: '/pages/login/login',
      token: session.token,
      clear: session.clear,
      url: () => '/pages/my/about',
      hasDrafts: () => false,
      text,
      relaunch: async (to) => void relaunched.push(to),
      forgetPerson: session.forgetPerson,
    }),
    onPasswordDue() {},
    onRightsChanged() {},
    onRenewed() {},
    onReach() {},
    onDate() {},
  })
  session.connect(quiet)
  return { clock, feedback, text, toasts, relaunched, session, http, url }
}

/** A form with one upload field; `onUploadSuccess` is code that fails. */
function aForm(app: ReturnType<typeof aShell>, onUploadSuccess = '') {
  const world = memoryWorld()
  const ask = async ({ hook }: HookCall): Promise<Outcome<Json>> =>
    hook === 'onUploadSuccess'
      ? { ok: false, error: { code: 'SCRIPT_ERROR', message: 'x' } }
      : { ok: true, value: null }
  const session = { ...world.ports.script.open({} as never), ask }
  const engine = createEngine({
    page: aPage([
      aWidget('file-upload', 'f', { uploadURL: app.url('/mini/upload'), fileTypes: [], onUploadSuccess }),
    ]),
    registry,
    ports: {
      ...world.ports,
      http: app.http,
      feedback: app.feedback,
      text: app.text,
      script: { open: () => session },
    },
  })
  return { engine, uploads: () => engine.node('f').options.uploads }
}

function aFile(): FileHandle {
  return { name: 'a.png', size: 1, type: 'image/png', handle: new Blob(['a']) }
}

function status(code: number, data: Json): Fault {
  return { kind: 'answer', answer: { status: code, data } }
}

function envelope(code: number, message: string) {
  return { meta: { code, success: code === 200, message, error: {} }, data: null }
}
