import { describe, expect, it } from 'vitest'
import { createFeedback, feedbackIn } from '../../../src/app/device/feedback.ts'
import { fakeClock } from '../../support/fake-clock.ts'

describe('a toast', () => {
  it('lasts 1500 ms by default', async () => {
    const app = aShell()

    app.feedback.toast({ text: '甲' })
    await app.clock.pass(1_499)
    const before = app.text()
    await app.clock.pass(1)

    expect([before, app.text()]).toEqual(['甲', undefined])
  })

  it('replaces the previous one and lasts its full time', async () => {
    const app = aShell()
    app.feedback.toast({ text: '甲' })
    await app.clock.pass(1_000)

    app.feedback.toast({ text: '乙' })
    await app.clock.pass(1_000)

    expect(app.text()).toBe('乙')
  })

  it('with a button closes when it is pressed, and runs its action', async () => {
    const app = aShell()
    const done: string[] = []
    app.feedback.toast({
      text: '已完成',
      durationMs: 5_000,
      act: { label: '撤销', run: () => done.push('撤销') },
    })
    await app.clock.pass(4_000)

    app.feedback.state.get().notice?.act?.run()

    expect([app.text(), done]).toEqual([undefined, ['撤销']])
  })

  it('with a button stays while somebody is at the button, then lasts its full time again', async () => {
    const app = aShell()
    app.feedback.toast({ text: '已完成', durationMs: 5_000, act: { label: '撤销', run: () => undefined } })
    await app.clock.pass(4_000)

    app.feedback.hold(true)
    await app.clock.pass(60_000)
    app.feedback.hold(false)
    await app.clock.pass(4_999)
    const before = app.text()
    await app.clock.pass(1)

    expect([before, app.text()]).toEqual(['已完成', undefined])
  })

  it('without a button is not kept, nor is one that replaces it', async () => {
    const app = aShell()
    app.feedback.toast({ text: '已完成', act: { label: '撤销', run: () => undefined } })
    app.feedback.hold(true)

    app.feedback.toast({ text: '甲' })
    app.feedback.hold(false)
    await app.clock.pass(1_500)

    expect(app.text()).toBe(undefined)
  })

  it('gives way to a loading indicator that is still running', async () => {
    const app = aShell()
    const done = app.feedback.loading('上传中')
    app.feedback.toast({ text: '甲' })

    await app.clock.pass(1_500)
    const after = app.text()
    done()

    expect([after, app.text()]).toEqual(['上传中', undefined])
  })
})

describe('the loading indicator', () => {
  it('stays until every caller is done', () => {
    const app = aShell()
    const first = app.feedback.loading('一')
    const second = app.feedback.loading('二')

    second()
    const between = app.text()
    first()

    expect([between, app.text()]).toEqual(['一', undefined])
  })

  it('does not remove a toast when it ends', () => {
    const app = aShell()
    const done = app.feedback.loading()
    app.feedback.toast({ text: '甲' })

    done()

    expect(app.text()).toBe('甲')
  })
})

describe('dialogs', () => {
  it('are queued, and each receives its own answer', async () => {
    const app = aShell()
    const first = app.feedback.modal({ content: '一' })
    const second = app.feedback.actionSheet(['甲', '乙'])

    const seen = [app.dialog()?.kind]
    answer(app, true)
    seen.push(app.dialog()?.kind)
    answer(app, 1)

    expect(seen).toEqual(['modal', 'sheet'])
    expect(await first).toEqual({ confirm: true })
    expect(await second).toBe(1)
    expect(app.dialog()).toBeNull()
  })

  it('ignore a second tap on the first dialog’s button', async () => {
    const app = aShell()
    const first = app.feedback.modal({ content: '一' })
    const second = app.feedback.modal({ content: '二' })
    const shown = app.dialog()

    if (shown?.kind === 'modal') {
      shown.answer(true)
      shown.answer(true)
    }
    const left = app.dialog()
    answer(app, false)

    expect(await first).toEqual({ confirm: true })
    expect(left).toMatchObject({ content: '二' })
    expect(await second).toEqual({ confirm: false })
  })
})

it('take default texts in the page’s language, unless the page sets its own', () => {
  const app = aShell()
  const page = feedbackIn((code) => `page's ${code}`, app.feedback)

  void page.modal({ content: '?' })
  const modal = app.dialog()
  answer(app, true)
  void page.modal({ content: '?', confirmText: 'Do it' })
  const own = app.dialog()
  answer(app, true)
  void page.actionSheet(['a'])

  expect(modal).toMatchObject({
    confirmText: "page's feedback.confirm",
    cancelText: "page's feedback.cancel",
  })
  expect(own).toMatchObject({ confirmText: 'Do it', cancelText: "page's feedback.cancel" })
  expect(app.dialog()).toMatchObject({ cancelText: "page's feedback.cancel" })
})

function aShell() {
  const clock = fakeClock()
  const feedback = createFeedback({ clock, toastMs: 1_500, loadingText: () => '加载中' })
  return {
    clock,
    feedback,
    text: () => feedback.state.get().notice?.text,
    dialog: () => feedback.state.get().dialog,
  }
}

function answer(app: ReturnType<typeof aShell>, value: boolean | number): void {
  const dialog = app.dialog()
  if (dialog?.kind === 'modal' && typeof value === 'boolean') dialog.answer(value)
  if (dialog?.kind === 'sheet' && typeof value === 'number') dialog.answer(value)
}
