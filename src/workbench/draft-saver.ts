import { applyTextEdits, type TextEdit, textBetween } from '../../runtime/core/edit/edit-text.ts'
import type { Step } from '../../runtime/core/edit/history.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import type { Calls, Saved, ServerDraft } from './calls.ts'

/** A draft as stored on the device: with its undo history, and the last state known to the server. */
export interface Draft {
  readonly text: string
  readonly base: number
  readonly baseText: string
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
  /** The state of the server's copy on which it is based; '' if there is none. */
  readonly stamp: string
  /** The text of that state: the common base if two windows diverge. */
  readonly sent: string
}

/**
 * The storage format of a draft. It is encrypted on the main thread at every pause in typing, so texts that differ little from the newest are stored
 * as differences. An earlier version of the app stored them completely.
 */
interface StoredDraft extends Omit<Draft, 'baseText' | 'sent'> {
  readonly baseText: TextEdit | string
  readonly sent: TextEdit | string
}

const stored = (draft: Draft): StoredDraft => ({
  ...draft,
  baseText: textBetween(draft.text, draft.baseText),
  sent: textBetween(draft.text, draft.sent),
})

function restored(draft: StoredDraft): Draft {
  const fullText = (saved: TextEdit | string): string =>
    typeof saved === 'string' ? saved : applyTextEdits(draft.text, [saved])
  return { ...draft, baseText: fullText(draft.baseText), sent: fullText(draft.sent) }
}

/** The index of the newest text. */
export type DraftStatus = 'nothing' | 'saving' | 'saved' | 'device'

/** Events of a draft keeper. */
export interface DraftSaverEvents {
  keeping(keeping: DraftStatus): void
  /** The result of the check while saving. */
  checked(text: string, saved: Saved): void
  /** Another window of the same person saved from the same state. */
  parted(serverDraft: ServerDraft, sent: string): void
}

const SAVE_AFTER_MS = 500
const DEVICE_AFTER_MS = 300
/** Interval between attempts while the server is unreachable, in milliseconds. */
const RETRY_DELAY_MS = 5_000

type Now = Omit<Draft, 'stamp' | 'sent'>

/** The draft with which a page is opened; null: none, use the current version. */
export function draftToOpen(
  serverDraft: ServerDraft | null,
  device: Draft | null,
): 'device' | 'server' | null {
  if (device === null) return serverDraft === null ? null : 'server'
  const isSent = device.stamp !== '' && device.text === device.sent
  if (serverDraft === null) return isSent ? null : 'device'
  return isSent && serverDraft.stamp !== device.stamp && serverDraft.text !== device.text
    ? 'server'
    : 'device'
}

/** Saves the draft: on the device at once, on the server at the next pause in typing if there is a network. */
export function createDraftSaver(
  path: string,
  calls: Calls,
  { storage, clock }: Pick<Ports, 'storage' | 'clock'>,
  events: DraftSaverEvents,
) {
  const key = `workbench:${path}`
  let latest: Now | null = null
  let stamp = ''
  let sent = ''
  let isSending = false
  /** The state being sent to the server. */
  let onWay: Promise<void> = Promise.resolve()
  /** True while the page is published or discarded: nothing must be sent that would arrive afterwards. */
  let isHeld = false
  let isClosed = false
  let cancelDevice = (): void => {}
  let cancelSend = (): void => {}

  const onDevice = (): void => {
    cancelDevice()
    if (latest === null) return
    const now: Now = latest
    const isNothing = stamp === '' && latest.done.length === 0 && latest.undone.length === 0
    cancelDevice = clock.after(DEVICE_AFTER_MS, () => {
      if (isNothing) void storage.remove(key)
      else void storage.set(key, stored({ ...now, stamp, sent }) as unknown as Json)
    })
  }

  const sendSoon = (delay: number): void => {
    cancelSend()
    cancelSend = clock.after(delay, () => {
      if (!isHeld && !isSending) onWay = send()
    })
  }

  const isSent = (): boolean => latest === null || latest.text === (stamp === '' ? latest.baseText : sent)

  const took = (text: string, now: string): void => {
    stamp = now
    sent = text
    onDevice()
    events.keeping(isSent() ? (stamp === '' ? 'nothing' : 'saved') : 'saving')
    if (!isSent()) sendSoon(0)
  }

  const send = async (): Promise<void> => {
    if (isClosed || latest === null || isSent()) return
    const { text, base, baseText } = latest
    isSending = true
    events.keeping('saving')
    const isBack = text === baseText
    const answer = isBack ? await calls.dropDraft(path) : await calls.saveDraft(path, text, base, stamp)
    isSending = false
    if (isClosed || latest === null) return
    if (!answer.ok) {
      const { serverDraft } = answer
      // The answer to an earlier attempt was lost.
      if (serverDraft !== null && serverDraft.text === text) return took(text, serverDraft.stamp)
      if (serverDraft !== null) return events.parted(serverDraft, sent === '' ? baseText : sent)
      events.keeping('device')
      return sendSoon(RETRY_DELAY_MS)
    }
    if (answer.value === null) return took('', '')
    events.checked(text, answer.value)
    took(text, answer.value.stamp)
  }

  return {
    /** The draft of an earlier visit on this device. */
    async kept(): Promise<Draft | null> {
      const found = (await storage.get(key)) as unknown as StoredDraft | undefined
      return found === undefined ? null : restored(found)
    },
    /** The state on which the next one is based. */
    startFrom(serverDraft: { readonly stamp: string; readonly text: string }): void {
      stamp = serverDraft.stamp
      sent = serverDraft.text
    },
    /** Follows the edits. */
    follow(now: Now): void {
      latest = now
      onDevice()
      if (isSent()) events.keeping(stamp === '' ? 'nothing' : 'saved')
      else if (!isSending) sendSoon(SAVE_AFTER_MS)
    },
    /** True while the server does not have the newest state. */
    isAhead: (): boolean => !isSent(),
    /** Runs the final call: a state being sent has arrived before it, and later edits are sent after it. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      isHeld = true
      try {
        await onWay
        return await work()
      } finally {
        isHeld = false
        if (!isClosed && !isSent()) sendSoon(SAVE_AFTER_MS)
      }
    },
    /** Ends: the draft was published or discarded. */
    async forget(): Promise<void> {
      cancelDevice()
      cancelSend()
      latest = null
      stamp = ''
      sent = ''
      await storage.remove(key)
    },
    close(): void {
      isClosed = true
      cancelSend()
    },
  }
}
