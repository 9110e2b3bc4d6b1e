import { applyTextEdits, type TextEdit, textBetween } from '../../runtime/core/edit/edit-text.ts'
import type { Step } from '../../runtime/core/edit/history.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import type { Calls, DraftThere, Saved } from './calls.ts'

/** A draft as the device keeps it: with what can be taken back, and with what the server had of it last. */
export interface Draft {
  readonly text: string
  readonly base: number
  readonly baseText: string
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
  /** The state of the server's copy that it goes on from; '' while it has none. */
  readonly stamp: string
  /** The text of that state: where two windows parted. */
  readonly sent: string
}

/**
 * A draft as it is stored. What is stored is sealed on the thread that draws, at every rest of the hand: texts that differ little from the newest
 * are kept as what they differ by. A version of the app before this one kept them whole.
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
  const whole = (kept: TextEdit | string): string =>
    typeof kept === 'string' ? kept : applyTextEdits(draft.text, [kept])
  return { ...draft, baseText: whole(draft.baseText), sent: whole(draft.sent) }
}

/** Where the newest text stands. */
export type Keeping = 'nothing' | 'saving' | 'saved' | 'device'

/** What a draft keeper tells. */
export interface KeeperEvents {
  keeping(keeping: Keeping): void
  /** Judged while it was kept. */
  checked(text: string, saved: Saved): void
  /** Another window of the same person went on from the same state. */
  parted(there: DraftThere, sent: string): void
}

const SAVE_AFTER_MS = 500
const DEVICE_AFTER_MS = 300
/** Interval between attempts while the server is away, in milliseconds. */
const AGAIN_MS = 5_000

type Now = Omit<Draft, 'stamp' | 'sent'>

/** Which draft a page is opened with; null: none, what is current. */
export function draftToOpen(there: DraftThere | null, device: Draft | null): 'device' | 'server' | null {
  if (device === null) return there === null ? null : 'server'
  const isSent = device.stamp !== '' && device.text === device.sent
  if (there === null) return isSent ? null : 'device'
  return isSent && there.stamp !== device.stamp && there.text !== device.text ? 'server' : 'device'
}

/** Keeps what is being written: on the device at once, on the server as soon as the hand rests and the network is there. */
export function createDraftKeeper(
  path: string,
  calls: Calls,
  { storage, clock }: Pick<Ports, 'storage' | 'clock'>,
  events: KeeperEvents,
) {
  const key = `workbench:${path}`
  let latest: Now | null = null
  let stamp = ''
  let sent = ''
  let isSending = false
  /** What is on its way to the server. */
  let onWay: Promise<void> = Promise.resolve()
  /** True while the page is published or given up: nothing is sent that would come behind it. */
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
      const { there } = answer
      // The answer of an earlier try was lost on its way.
      if (there !== null && there.text === text) return took(text, there.stamp)
      if (there !== null) return events.parted(there, sent === '' ? baseText : sent)
      events.keeping('device')
      return sendSoon(AGAIN_MS)
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
    /** The state the next one goes on from. */
    startFrom(there: { readonly stamp: string; readonly text: string }): void {
      stamp = there.stamp
      sent = there.text
    },
    /** Follows what is written. */
    follow(now: Now): void {
      latest = now
      onDevice()
      if (isSent()) events.keeping(stamp === '' ? 'nothing' : 'saved')
      else if (!isSending) sendSoon(SAVE_AFTER_MS)
    },
    /** True while the server does not have the newest. */
    isAhead: (): boolean => !isSent(),
    /** Does what the server is to hear last: what was on its way has arrived, and what is written meanwhile goes out behind it. */
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
    /** Nothing is being written any more: it was published or given up. */
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
