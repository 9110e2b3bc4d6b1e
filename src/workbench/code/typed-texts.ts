import { applyTextEdits, type TextEdit, textBetween } from '../../../runtime/core/edit/edit-text.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Ports } from '../../../runtime/core/ports.ts'

/** A text that is not JSON, and the text of the page over which it was typed. */
interface TypedText {
  readonly text: string
  readonly beside: string
}

/** Typed texts that the page does not have because they are not JSON. */
export interface TypedTexts {
  /** In the editor, in place of the text of the page. */
  readonly now: TypedText | null
  /** Typed over a page that is another one by now; '' for none. It comes back when the user asks for it. */
  readonly before: string
}

export const NOTHING_TYPED: TypedTexts = { now: null, before: '' }

/** What holds for this text of the page: a text typed over another one is offered, and the editor shows the page. */
export function typedAt({ now, before }: TypedTexts, page: string): TypedTexts {
  return now === null || now.beside === page ? { now, before } : { now: null, before: now.text }
}

/** After typing. @param isJson  the page has the text */
export function afterTyping(
  texts: TypedTexts,
  page: string,
  { text, isJson }: { readonly text: string; readonly isJson: boolean },
): TypedTexts {
  const { before } = typedAt(texts, page)
  return { now: isJson || text === page ? null : { text, beside: page }, before }
}

/** The offered text is in the editor again; what was there is offered. */
export function broughtBack(texts: TypedTexts, page: string): TypedTexts {
  const { now, before } = typedAt(texts, page)
  return before === '' ? { now, before } : { now: { text: before, beside: page }, before: now?.text ?? '' }
}

/** Without the one in the editor, or else without the offered one. */
export function withoutOne(texts: TypedTexts, page: string): TypedTexts {
  const { now, before } = typedAt(texts, page)
  return now === null ? NOTHING_TYPED : { now: null, before }
}

/** A longer text is not kept on the device. */
export const MAX_KEPT = 1_000_000
const KEEP_AFTER_MS = 300

/** Keeps the texts of a page on the device, for this person in this tenant. Of two tabs, the last one counts. */
export function createTypedKeeper(path: string, { storage, clock }: Pick<Ports, 'storage' | 'clock'>) {
  const key = `workbench-typed:${path}`
  let cancel = (): void => {}
  return {
    kept: async (): Promise<TypedTexts> => restored(await storage.get(key)),
    follow(texts: TypedTexts): void {
      cancel()
      cancel = clock.after(KEEP_AFTER_MS, () => {
        const value = stored(texts)
        void (value === null ? storage.remove(key) : storage.set(key, value))
      })
    },
  }
}

/** The page's text is stored as a difference; null for nothing. */
function stored({ now, before }: TypedTexts): Json | null {
  const isKept = now !== null && now.text.length <= MAX_KEPT && now.beside.length <= MAX_KEPT
  const typed = isKept ? { text: now.text, beside: textBetween(now.text, now.beside) } : null
  const offered = before.length <= MAX_KEPT ? before : ''
  return typed === null && offered === '' ? null : ({ now: typed, before: offered } as unknown as Json)
}

function restored(value: Json | undefined): TypedTexts {
  if (!isObject(value)) return NOTHING_TYPED
  const { now, before } = value
  return {
    now:
      isObject(now) && typeof now.text === 'string' && isObject(now.beside)
        ? {
            text: now.text,
            beside: applyTextEdits(now.text, [now.beside as unknown as TextEdit]),
          }
        : null,
    before: typeof before === 'string' ? before : '',
  }
}
