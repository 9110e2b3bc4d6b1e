import { beforeEach, describe, expect, it } from 'vitest'
import type { Feedback } from '../../runtime/core/ports.ts'

/** A Feedback port and its user. */
export interface FeedbackStage {
  /** Calls the port; resolves when the user has answered. */
  toast(options: Parameters<Feedback['toast']>[0]): Promise<void>
  /** @returns a function that ends it */
  loading(words: string): Promise<() => Promise<void>>
  modal(options: Parameters<Feedback['modal']>[0]): Promise<{ readonly confirm: boolean }>
  actionSheet(items: readonly string[], title?: string): Promise<number>
  /** The text of the visible notice. */
  notice(): Promise<string | null>
  /** Presses a button of the visible dialog. */
  press(word: string): Promise<void>
  /** Dismisses the visible dialog without an answer. */
  dismiss(): Promise<void>
}

/** Requirements of every Feedback port. */
export function feedbackPortContract(name: string, open: () => Promise<FeedbackStage>): void {
  describe(`the Feedback port, ${name}`, () => {
    let stage: FeedbackStage
    beforeEach(async () => {
      stage = await open()
    })

    it('shows nothing for an empty text', async () => {
      await stage.toast({ text: '' })
      expect(await stage.notice()).toBeNull()
    })

    it('shows one notice at a time, the last one', async () => {
      await stage.toast({ text: '甲', durationMs: 60_000 })
      await stage.toast({ text: '乙', durationMs: 60_000 })
      expect(await stage.notice()).toBe('乙')
    })

    it('removes a notice after its time', async () => {
      await stage.toast({ text: '甲', durationMs: 30 })
      await expect.poll(() => stage.notice()).toBeNull()
    })

    it('shows a loading indicator until its end is called, which may happen twice', async () => {
      const end = await stage.loading('正在保存')
      expect(await stage.notice()).toBe('正在保存')
      await end()
      await end()
      expect(await stage.notice()).toBeNull()
    })

    it('answers a question with yes or no, and with no if the dialog was only closed', async () => {
      const words = { title: '提示', content: '删除？', confirmText: '删除', cancelText: '保留' }
      const yes = stage.modal(words)
      await stage.press('删除')
      expect(await yes).toEqual({ confirm: true })

      const no = stage.modal(words)
      await stage.press('保留')
      expect(await no).toEqual({ confirm: false })

      const closed = stage.modal(words)
      await stage.dismiss()
      expect(await closed).toEqual({ confirm: false })
    })

    it('returns the index of the chosen entry, and −1 for none', async () => {
      const second = stage.actionSheet(['拍照', '相册'], '头像')
      await stage.press('相册')
      expect(await second).toBe(1)

      const none = stage.actionSheet(['拍照', '相册'])
      await stage.dismiss()
      expect(await none).toBe(-1)
    })
  })
}
