import { useRef } from 'react'
import { t } from '../context.ts'
import { pageScript } from './script-language.ts'
import { type ScriptNames, signatureOf } from './script-words.ts'
import { usePartText } from './use-part-text.ts'

interface Props {
  readonly label: string
  readonly code: string
  readonly names: ScriptNames
  readonly onType: (code: string) => void
}

/** The code of one hook, with suggestions. */
export default function ScriptEditor({ label, code, names, onType }: Props) {
  const now = useRef(names)
  now.current = names
  const language = pageScript(() => now.current)
  const { host, editor } = usePartText({ label, text: code, language, onType })
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
