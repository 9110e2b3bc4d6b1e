import { useEffect, useMemo, useState } from 'react'
import { readJson } from '../../../runtime/core/edit/history.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { Calls } from '../calls.ts'
import { useLook } from '../canvas/look.ts'
import { LookBar } from '../canvas/look-bar.tsx'
import { type Expansions, referenceKey, resolvePage } from '../canvas/resolve-page.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { Both } from '../sides/sides-view.tsx'
import '../sides/sides.css'
import { Changes } from './changes.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly revision: number
  /** The name of the version. */
  readonly name: string
  readonly onClose: () => void
}

/** A version beside the one on the canvas, both drawn, with their differences. */
export function CompareVersions({ revision, name, onClose }: Props) {
  const bench = useBench()
  const path = useBenchState((state) => state.path)
  const { document } = useEditing()
  const expansions = useBenchState((state) => state.expansions)
  // The draft itself, valid or not: if it cannot be opened, the reason is shown instead.
  const now = useMemo(() => resolvePage(document, expansions).document, [document, expansions])
  const look = useLook(document, bench.calls)
  const [then, setThen] = useState<Then>({ page: null, drawn: null, failure: '' })
  useEffect(() => {
    let isOver = false
    void pageThen(bench.calls, path, revision).then((found) => {
      if (!isOver) setThen(found)
    })
    return () => {
      isOver = true
    }
  }, [bench, path, revision])
  const words = { before: name, after: t('workbench.versions.mine') }
  return (
    <Dialog title={t('workbench.versions.beside', { name })} both onClose={onClose}>
      <LookBar look={look} />
      {then.drawn === null ? (
        <p className="wb-quiet wb-pad" role="status">
          {then.failure === '' ? t('workbench.loading') : then.failure}
        </p>
      ) : (
        <Both
          sides={{ before: then.drawn, after: now }}
          words={words}
          look={look}
          changes={<Changes before={then.page} after={document} />}
        />
      )}
    </Dialog>
  )
}

interface Then {
  /** As written. */
  readonly page: Json
  /** With references replaced; null while loading. */
  readonly drawn: Json
  readonly failure: string
}

async function pageThen(calls: Calls, path: string, revision: number): Promise<Then> {
  const source = await calls.source(path, revision)
  if (!source.ok) return { page: null, drawn: null, failure: source.message }
  const page = readJson(source.value.text) ?? null
  const { missing } = resolvePage(page, new Map())
  if (missing.length === 0) return { page, drawn: page, failure: '' }
  const answer = await calls.expand(missing)
  if (!answer.ok) return { page: null, drawn: null, failure: answer.message }
  const expansions: Expansions = new Map(
    missing.flatMap((one, i) => {
      const found = answer.value[i]
      return found === undefined ? [] : [[referenceKey(one), found] as const]
    }),
  )
  return { page, drawn: resolvePage(page, expansions).document, failure: '' }
}
