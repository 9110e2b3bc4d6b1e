import { type RefObject, useEffect, useRef } from 'react'
import { useBench } from '../context.ts'
import { createEditor, type Editor, type Language } from './editor.ts'

export interface PartText {
  readonly label: string
  readonly text: string
  /** Read once: its suggestions follow the page automatically. */
  readonly language: Language
  readonly onType: (text: string) => void
}

interface PartEditing {
  /** Key of the element that contains the text. */
  readonly host: RefObject<HTMLDivElement | null>
  readonly editor: RefObject<Editor | null>
}

/** An editor for a part of a page, with the undo history of the page. */
export function usePartText({ label, text, language, onType }: PartText): PartEditing {
  const bench = useBench()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const now = useRef({ text, language, onType })
  now.current = { text, language, onType }
  useEffect(() => {
    if (host.current === null) return
    const made = createEditor(host.current, now.current.text, {
      label,
      language: now.current.language,
      isShort: true,
      onType: (typed) => now.current.onType(typed),
      steps: { undo: bench.undo, redo: bench.redo },
    })
    editor.current = made
    return () => {
      made.close()
      editor.current = null
    }
  }, [label, bench])
  useEffect(() => editor.current?.show(text), [text])
  return { host, editor }
}
