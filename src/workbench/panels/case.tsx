import { useState } from 'react'
import { isObject } from '../../../runtime/core/json.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { readCase } from '../cases/case.ts'
import { type Replay, replayCase } from '../cases/replay.ts'
import { t } from '../context.ts'

/** Replays a recorded visit on the draft and compares the final states. */
export function Case() {
  const { drawn } = useCanvas()
  const [name, setName] = useState('')
  const [replay, setReplay] = useState<Replay | null>(null)
  const engine = drawn?.engine ?? null
  if (drawn === null || engine === null) return null
  const run = async (chosen: File) => {
    setName(chosen.name)
    setReplay(null)
    const file = readCase(await chosen.text())
    const { document } = drawn.resolved
    if (file === null || !isObject(document)) {
      setReplay({ differences: [], unanswered: [], problems: [t('workbench.case.unknown')] })
      return
    }
    const { script } = engine.ports
    const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 0))
    setReplay(await replayCase(file, { registry: engine.registry, script, turn, document }))
  }
  return (
    <details className="wb-group">
      <summary>{t('workbench.case.title')}</summary>
      <div className="wb-pad wb-case">
        <p className="wb-quiet">{t('workbench.case.hint')}</p>
        <label className="wb-button">
          {t('workbench.case.choose')}
          <input
            type="file"
            accept=".json"
            aria-label={t('workbench.case.choose')}
            onChange={(event) => {
              const [chosen] = event.target.files ?? []
              event.target.value = ''
              if (chosen !== undefined) void run(chosen)
            }}
          />
        </label>
        {name !== '' && <p className="wb-quiet">{name}</p>}
        {replay !== null && <Outcome replay={replay} />}
      </div>
    </details>
  )
}

function Outcome({ replay: { differences, unanswered, problems } }: { readonly replay: Replay }) {
  if (differences.length + unanswered.length + problems.length === 0)
    return <p role="status">{t('workbench.case.same')}</p>
  return (
    <ul role="status">
      {problems.map((problem) => (
        <li key={problem} className="wb-error">
          {problem}
        </li>
      ))}
      {differences.map(({ what, was, is }) => (
        <li key={what}>
          {t('workbench.case.differs', { what, was: JSON.stringify(was), is: JSON.stringify(is) })}
        </li>
      ))}
      {unanswered.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one may be asked twice alike
        <li key={`${one} ${i}`}>{t('workbench.case.unanswered', { what: one })}</li>
      ))}
    </ul>
  )
}
