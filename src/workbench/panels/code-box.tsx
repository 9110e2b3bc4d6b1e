import { lazy, Suspense, useMemo } from 'react'
import { type Json, ownValue } from '../../../runtime/core/json.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import type { Root } from '../code/schema-place.ts'
import { functionsIn, type ScriptNames } from '../code/script-words.ts'
import { useEditing } from '../context.ts'

const ScriptEditor = lazy(() => fetchPart(() => import('../code/script-editor.tsx')))

const CssEditor = lazy(() => fetchPart(() => import('../code/css-editor.tsx')))
const JsonPart = lazy(() => fetchPart(() => import('../code/json-part.tsx')))

interface Props {
  readonly hook: string
  readonly label: string
  readonly code: string
  readonly onChange: (code: string) => void
}

/** The code of a hook; suggestions come from the drawn page. */
export function CodeBox({ hook, label, code, onChange }: Props) {
  const names = useScriptNames(hook)
  return (
    <Suspense fallback={<pre className="wb-code">{code}</pre>}>
      <ScriptEditor label={label} code={code} names={names} onType={onChange} />
    </Suspense>
  )
}

/** The css of the page. */
export function CssBox({ label, code, onChange }: Omit<Props, 'hook'>) {
  return (
    <Suspense fallback={<pre className="wb-code">{code}</pre>}>
      <CssEditor label={label} code={code} onType={onChange} />
    </Suspense>
  )
}

interface JsonBoxProps {
  readonly label: string
  /** The kind of element in the JSON. */
  readonly root: Root
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** A widget or a data source as JSON, with suggestions. */
export function JsonBox(props: JsonBoxProps) {
  return (
    <Suspense fallback={<pre className="wb-code">{JSON.stringify(props.value, null, 2)}</pre>}>
      <JsonPart {...props} />
    </Suspense>
  )
}

const ownerOf = ({ field, spec }: PageNode) =>
  spec.children === 'rowList' ? 'subForm' : field ? 'field' : 'container'

function useScriptNames(hook: string): ScriptNames {
  const { document } = useEditing()
  const { drawn } = useCanvas()
  return useMemo(() => {
    const page = drawn?.engine?.page
    return {
      hook,
      fields: [...(page?.nodes.values() ?? [])]
        .filter(({ name }) => name !== '')
        .map((node) => ({
          name: node.name,
          label: String(node.option('label') ?? ''),
          owner: ownerOf(node),
        })),
      sources: [...(page?.dataSources.values() ?? [])].map((one) => ({
        name: one.uniqueName,
        label: one.requestURL,
      })),
      functions: functionsIn(String(ownValue(ownValue(document, 'formConfig'), 'functions') ?? '')),
    }
  }, [hook, document, drawn])
}
