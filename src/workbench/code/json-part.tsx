import { useMemo, useRef } from 'react'
import { readJson } from '../../../runtime/core/edit/history.ts'
import { wideJson } from '../../../runtime/core/edit/wide-json.ts'
import { type Json, sameJson } from '../../../runtime/core/json.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { pageJson } from './json-language.ts'
import { pageNames } from './page-names.ts'
import { PartEditor } from './part-editor.tsx'
import type { Root } from './schema-place.ts'

interface Props {
  readonly label: string
  readonly root: Root
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** A widget or a source as JSON: applied to the page once it is valid. */
export default function JsonPart({ label, root, value, onChange }: Props) {
  const { drawn } = useCanvas()
  const engine = useRef(drawn?.engine ?? null)
  engine.current = drawn?.engine ?? null
  const language = useMemo(() => pageJson(root, () => pageNames(engine.current)), [root])
  // The typed text is kept as long as it has the same content as the page.
  const typed = useRef('')
  const parsed = readJson(typed.current)
  const text =
    parsed !== undefined && sameJson(parsed, value) && JSON.stringify(parsed) === JSON.stringify(value)
      ? typed.current
      : wideJson(value, '', 44)
  return (
    <PartEditor
      label={label}
      text={text}
      language={language}
      onType={(now) => {
        typed.current = now
        const next = readJson(now)
        if (next !== undefined) onChange(next)
      }}
    />
  )
}
