import { useEngine } from '../../runtime/react/page/page-context.ts'
import { t, useBench } from './context.ts'

/** Discards the draft after confirmation. */
export function useDiscard(): () => Promise<void> {
  const bench = useBench()
  const { feedback } = useEngine().ports
  return async () => {
    const { confirm } = await feedback.modal({ content: t('workbench.discard.sure'), showCancel: true })
    if (confirm) await bench.discard()
  }
}
