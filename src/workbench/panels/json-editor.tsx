import { useEffect, useId, useState } from 'react'
import { readJson } from '../../../runtime/core/edit/history.ts'
import { wideJson } from '../../../runtime/core/edit/wide-json.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { t } from '../context.ts'

interface Props {
  readonly label: string
  readonly value: Json
  readonly id?: string
  readonly onChange: (value: Json) => void
}

/** Any value as JSON; applied when the field loses focus if the text is valid. */
export function JsonEditor({ label, value, id, onChange }: Props) {
  const ownId = useId()
  const printed = wideJson(value, '', 44)
  const [text, setText] = useState(printed)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    setText(printed)
    setBroken(false)
  }, [printed])
  const apply = () => {
    const next = readJson(text)
    setBroken(next === undefined)
    if (next !== undefined && text !== printed) onChange(next)
  }
  return (
    <>
      <textarea
        id={id ?? ownId}
        className="wb-code"
        aria-label={label}
        aria-invalid={isBroken}
        rows={Math.min(14, Math.max(2, text.split('\n').length))}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
      {isBroken && (
        <p className="wb-error" role="alert">
          {t('workbench.json.broken')}
        </p>
      )}
    </>
  )
}
