import { useEffect, useState } from 'react'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import type { RevertMode, Version, VersionSet } from '../calls.ts'
import { t, useBench, useBenchState } from '../context.ts'
import { useDiscard } from '../use-discard.ts'
import { beginningHint, isOwnPage, versionName } from '../version-name.ts'
import { CompareVersions } from './compare-versions.tsx'
import { Dialog } from './dialog.tsx'

/** The published versions, newest first; each can be viewed and restored. */
export function Versions() {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const path = useBenchState((state) => state.path)
  const isOwn = isOwnPage(path)
  const base = useBenchState((state) => state.base)
  const [list, setList] = useState<readonly Version[] | null>(null)
  const [failure, setFailure] = useState('')
  const [sets, setSets] = useState<readonly VersionSet[]>([])
  const [compared, setCompared] = useState<number | null>(null)
  const [pendingRevision, setPendingRevision] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is current
  useEffect(() => {
    void bench.calls.versions(path).then((answer) => {
      if (answer.ok) setList(answer.value)
      else setFailure(answer.message)
    })
    void bench.calls.setsOf(path).then((answer) => setSets(answer.ok ? answer.value : []))
  }, [bench, path, base])
  const since = (revision: number) =>
    sets.filter((set) => (set.isBack ? set.revision === revision : set.revision > revision))
  const rollBack = async (revision: number, way: RevertMode = 'alone') => {
    const name = versionName(revision, path)
    const answer = await bench.rollBack(revision, way)
    setPendingRevision(null)
    const isRemoval = revision === 0 && isOwn
    const done = isRemoval ? t('workbench.versions.withdrawn') : t('workbench.versions.done', { name })
    if (answer.ok) return feedback.toast({ text: done, icon: 'success' })
    const { confirm } = await feedback.modal({ content: answer.message, showCancel: answer.isChangedSince })
    if (confirm && answer.isChangedSince) await rollBack(revision, 'anyway')
  }
  const askRollBack = async (revision: number) => {
    if (since(revision).length > 0) return setPendingRevision(revision)
    const isRemoval = revision === 0 && isOwn
    const content = isRemoval
      ? t('workbench.versions.sureNone')
      : t('workbench.versions.sure', { name: versionName(revision, path) })
    const { confirm } = await feedback.modal({ content, showCancel: true })
    if (confirm) await rollBack(revision)
  }
  if (failure !== '') return <p className="wb-error wb-pad">{failure}</p>
  if (list === null) return <p className="wb-quiet wb-pad">{t('workbench.loading')}</p>
  const isVendor = !list.some(({ current }) => current)
  return (
    <>
      <ol className="wb-versions">
        <OwnDraft />
        {list.map((version) => (
          <li key={version.revision} aria-current={version.current ? 'true' : undefined}>
            <h2>
              {t('workbench.versions.number', { n: version.revision })}
              {version.current && <small>{t('workbench.versions.current')}</small>}
            </h2>
            <p className="wb-quiet">{`${version.author} · ${version.at}`}</p>
            {version.health !== '' && <p className="wb-quiet">{version.health}</p>}
            {version.note !== '' && <p>{version.note}</p>}
            {sets
              .filter(({ revision }) => revision === version.revision)
              .map(({ title, others }) => (
                <p key={title} className="wb-quiet">
                  {t('workbench.versions.with', { title, others })}
                </p>
              ))}
            <ul className="wb-changes">
              {version.changes.slice(0, 6).map((change) => (
                <li key={change}>{change}</li>
              ))}
              {version.changes.length > 6 && (
                <li>{t('workbench.versions.more', { n: version.changes.length - 6 })}</li>
              )}
            </ul>
            <Acts
              revision={version.revision}
              name={versionName(version.revision, path)}
              isThere
              isCurrent={version.current}
              onRollBack={askRollBack}
              onBeside={setCompared}
            />
          </li>
        ))}
        <li aria-current={isVendor ? 'true' : undefined}>
          <h2>
            {versionName(0, path)}
            {isVendor && <small>{t('workbench.versions.current')}</small>}
          </h2>
          <p className="wb-quiet">{beginningHint(path)}</p>
          <Acts
            revision={0}
            name={versionName(0, path)}
            isCurrent={isVendor}
            isThere={!isOwn}
            onRollBack={askRollBack}
            onBeside={setCompared}
          />
        </li>
      </ol>
      {pendingRevision !== null && (
        <Together
          name={versionName(pendingRevision, path)}
          sets={since(pendingRevision)}
          onClose={() => setPendingRevision(null)}
          onChoose={(way) => void rollBack(pendingRevision, way)}
        />
      )}
      {compared !== null && (
        <CompareVersions
          revision={compared}
          name={versionName(compared, path)}
          onClose={() => setCompared(null)}
        />
      )}
    </>
  )
}

/** On a phone the bar at the top has no room for it. */
function OwnDraft() {
  const isChanged = useBenchState(({ editing, baseText }) => editing !== null && editing.text !== baseText)
  const discard = useDiscard()
  if (!isChanged) return null
  return (
    <li className="wb-only-phone">
      <h2>{t('workbench.state.draft')}</h2>
      <div className="wb-acts">
        <button type="button" className="wb-act" onClick={() => void discard()}>
          {t('workbench.discard')}
        </button>
      </div>
    </li>
  )
}

interface TogetherProps {
  readonly name: string
  readonly sets: readonly VersionSet[]
  readonly onClose: () => void
  readonly onChoose: (way: RevertMode) => void
}

/** Later versions, or this version itself, were published together with other changes: restores with them, or only the page. */
function Together({ name, sets, onClose, onChoose }: TogetherProps) {
  const reverted = sets.filter(({ isBack }) => !isBack)
  const lacking = sets.filter(({ isBack }) => isBack)
  return (
    <Dialog
      title={t('workbench.versions.backTo', { name })}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="wb-button" onClick={onClose}>
            {t('workbench.cancel')}
          </button>
          <button type="button" className="wb-button" onClick={() => onChoose('alone')}>
            {t(reverted.length === 0 ? 'workbench.versions.pageOnly' : 'workbench.versions.alone')}
          </button>
          <button type="button" className="wb-button wb-primary" onClick={() => onChoose('together')}>
            {t(reverted.length === 0 ? 'workbench.versions.restore' : 'workbench.versions.together')}
          </button>
        </>
      }
    >
      {reverted.length > 0 && <SetList title={t('workbench.versions.came')} sets={reverted} />}
      {reverted.length > 0 && <p className="wb-quiet">{t('workbench.versions.kept')}</p>}
      {lacking.length > 0 && <SetList title={t('workbench.versions.lacks')} sets={lacking} />}
    </Dialog>
  )
}

function SetList({ title, sets }: { readonly title: string; readonly sets: readonly VersionSet[] }) {
  return (
    <>
      <p>{title}</p>
      <ul>
        {sets.map((set) => (
          <li key={set.revision}>{t('workbench.versions.with', { title: set.title, others: set.others })}</li>
        ))}
      </ul>
    </>
  )
}

interface ActsProps {
  readonly revision: number
  readonly name: string
  /** False: there is no page to view. */
  readonly isThere: boolean
  readonly isCurrent: boolean
  readonly onRollBack: (revision: number) => Promise<void>
  readonly onBeside: (revision: number) => void
}

function Acts({ revision, name, isThere, isCurrent, onRollBack, onBeside }: ActsProps) {
  const bench = useBench()
  return (
    <div className="wb-acts">
      {isThere && (
        <>
          <button
            type="button"
            className="wb-act"
            aria-label={t('workbench.versions.beside', { name })}
            onClick={() => onBeside(revision)}
          >
            {t('workbench.versions.look')}
          </button>
          <button type="button" className="wb-act" onClick={() => void bench.take(revision)}>
            {t('workbench.versions.take')}
          </button>
        </>
      )}
      {!isCurrent && (
        <button type="button" className="wb-act" onClick={() => void onRollBack(revision)}>
          {t(isThere ? 'workbench.versions.back' : 'workbench.versions.withdraw')}
        </button>
      )}
    </div>
  )
}
