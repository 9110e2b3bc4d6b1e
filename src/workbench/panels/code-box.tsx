import { lazy, Suspense, useMemo } from 'react'
import { ownValue } from '../../../runtime/core/json.ts'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { functionsIn, type ScriptNames } from '../code/script-words.ts'
import { useEditing } from '../context.ts'

const ScriptEditor = lazy(() => fetchPart(() => import('../code/script-editor.tsx')))

interface Props {
  readonly hook: string
  readonly label: string
  readonly code: string
  readonly onChange: (code: string) => void
}

/** The code of a hook; what it can name is read off the page that is drawn. */
export function CodeBox({ hook, label, code, onChange }: Props) {
  const names = useScriptNames(hook)
  return (
    <Suspense fallback={<pre className="wb-code">{code}</pre>}>
      <ScriptEditor label={label} code={code} names={names} onType={onChange} />
    </Suspense>
  )
}

function useScriptNames(hook: string): ScriptNames {
  const { document } = useEditing()
  const { drawn } = useCanvas()
  return useMemo(() => {
    const page = drawn?.engine?.page
    return {
      hook,
      fields: [...(page?.nodes.values() ?? [])]
        .filter(({ name }) => name !== '')
        .map((node) => ({ name: node.name, label: String(node.option('label') ?? '') })),
      sources: [...(page?.dataSources.values() ?? [])].map((one) => ({
        name: one.uniqueName,
        label: one.requestURL,
      })),
      functions: functionsIn(String(ownValue(ownValue(document, 'formConfig'), 'functions') ?? '')),
    }
  }, [hook, document, drawn])
}
