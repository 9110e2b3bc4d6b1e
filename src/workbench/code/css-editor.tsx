import { useMemo, useRef } from 'react'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import { ownValue } from '../../../runtime/core/json.ts'
import { useEditing } from '../context.ts'
import { pageCss } from './css-language.ts'
import { PartEditor } from './part-editor.tsx'

interface Props {
  readonly label: string
  readonly code: string
  readonly onType: (code: string) => void
}

/** The CSS of the page; suggests the classes of its widgets. */
export default function CssEditor({ label, code, onType }: Props) {
  const { document } = useEditing()
  const now = useRef(document)
  now.current = document
  const language = useMemo(() => pageCss(() => classesOf(now.current)), [])
  return <PartEditor label={label} text={code} language={language} onType={onType} />
}

function classesOf(document: Parameters<typeof itemsOf>[0]): readonly string[] {
  const classNames = [...itemsOf(document).values()].flatMap(({ written }) => {
    const names = ownValue(written.options, 'customClass')
    return Array.isArray(names) ? names.map(String) : typeof names === 'string' ? names.split(/\s+/) : []
  })
  return [...new Set(classNames)].filter((name) => name !== '')
}
