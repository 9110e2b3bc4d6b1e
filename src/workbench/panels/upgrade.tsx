import { useState } from 'react'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import { t, useBench, useBenchState } from '../context.ts'
import { Changes } from './changes.tsx'
import { Dialog } from './dialog.tsx'

/** A newer release has changed this page: offers to merge its changes into the draft. */
export function UpgradeButton() {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const upgrade = useBenchState((state) => state.upgrade)
  const [isOpen, setOpen] = useState(false)
  if (upgrade === null) return null
  const apply = () => {
    setOpen(false)
    bench.takeUpgrade()
    if (bench.get().conflict === null) feedback.toast({ text: t('workbench.upgrade.taken'), icon: 'success' })
  }
  return (
    <>
      <button type="button" className="wb-button wb-others" onClick={() => setOpen(true)}>
        {t('workbench.upgrade.there')}
      </button>
      {isOpen && (
        <Dialog
          title={t('workbench.upgrade.there')}
          wide
          onClose={() => setOpen(false)}
          foot={
            <>
              <button type="button" className="wb-button" onClick={() => setOpen(false)}>
                {t('workbench.cancel')}
              </button>
              <button type="button" className="wb-button wb-primary" onClick={apply}>
                {t('workbench.others.takeIn')}
              </button>
            </>
          }
        >
          <p>{t('workbench.upgrade.said')}</p>
          <Changes before={upgrade.baseDocument} after={upgrade.document} />
        </Dialog>
      )}
    </>
  )
}
