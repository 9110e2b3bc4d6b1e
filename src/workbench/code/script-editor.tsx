import { useEffect, useRef } from 'react'
import { t, useBench } from '../context.ts'
import { createEditor, type Editor } from './editor.ts'
import { pageScript } from './script-language.ts'
import { type ScriptNames, signatureOf } from './script-words.ts'

interface Props {
  readonly label: string
  readonly code: string
  readonly names: ScriptNames
  readonly onType: (code: string) => void
}

/** The code of one hook, with what can be named in it. */
export default function ScriptEditor({ label, code, names, onType }: Props) {
  const bench = useBench()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const now = useRef({ code, names, onType })
  now.current = { code, names, onType }
  useEffect(() => {
    if (host.current === null) return
    const made = createEditor(host.current, now.current.code, {
      label,
      language: pageScript(() => now.current.names),
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
  useEffect(() => editor.current?.show(code), [code])
  return (
    <>
      {names.hook !== 'functions' && <code className="wb-quiet">{signatureOf(names.hook)}</code>}
      <div className="wb-script" ref={host} />
      {code.includes('\n') && (
        <button type="button" className="wb-link" onClick={() => editor.current?.tidy()}>
          {t('workbench.code.tidy')}
        </button>
      )}
    </>
  )
}
