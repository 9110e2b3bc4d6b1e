import { useMemo } from 'react'
import { type Problem, problem } from '../../../runtime/core/errors.ts'
import { jsonFault } from '../../../runtime/core/page/json-fault.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import { useErrorText } from '../canvas/use-error-text.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { typedAt } from './typed-texts.ts'

/** Says which typed text the page does not have, and why; it can be discarded or, if the page has changed since, brought back. */
export function TypedBar() {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const { text } = useEditing()
  const typed = useBenchState((state) => state.typed)
  const { now, before } = typedAt(typed, text)
  const fault = useMemo(() => faultOf(now?.text), [now?.text])
  const reason = useErrorText(fault)
  if (now === null && before === '') return null
  const discard = async () => {
    const { confirm } = await feedback.modal({ content: t('workbench.typed.sure'), showCancel: true })
    if (confirm) bench.dropTyped()
  }
  return (
    <div className="wb-typed">
      <p className="wb-typed-why" role="status">
        {now === null ? t('workbench.typed.before') : t('workbench.typed.now', { reason })}
      </p>
      {before !== '' && (
        <button type="button" className="wb-act" onClick={bench.bringBack}>
          {t('workbench.typed.back')}
        </button>
      )}
      <button type="button" className="wb-act" onClick={() => void discard()}>
        {t('workbench.typed.drop')}
      </button>
    </div>
  )
}

/** Why the text is not JSON; undefined without a text. */
function faultOf(text: string | undefined): Problem | undefined {
  if (text === undefined) return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { reason } = jsonFault(error, text)
    const fault = problem('JSON_INVALID', '', { reason })
    return { ...fault, said: { ...fault.said, message: reason } }
  }
}
