import { type FormEvent, useEffect, useRef } from 'react'
import { conflictWords } from '../../../runtime/core/engine/conflict-words.ts'
import type { Conflict, Engine } from '../../../runtime/core/engine.ts'
import { useLayer } from '../../../runtime/react/layers/use-layer.ts'
import { useApp } from '../app-context.ts'
import './conflict.css'

interface ConflictDialogProps {
  readonly engine: Engine
  readonly conflict: Conflict
}

/** Two users changed one record: the user decides on each field that both changed, and sees what is taken over (DOMAIN 0.8). */
export default function ConflictDialog({ engine, conflict }: ConflictDialogProps) {
  const { text } = useApp()
  const { fields, taken } = conflictWords(engine, conflict)
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = element.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  useLayer(true, engine.dismissConflict)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget)
    const theirs = fields.map((field) => field.name).filter((name) => chosen.get(name) === 'theirs')
    void engine.resolveConflict(theirs)
  }
  return (
    <dialog
      ref={element}
      className="sheet conflict"
      aria-labelledby="conflict-title"
      onCancel={(event) => {
        event.preventDefault()
        engine.dismissConflict()
      }}
    >
      <form onSubmit={save}>
        <h2 id="conflict-title">{text('conflict.title')}</h2>
        <p>{text(fields.length > 0 ? 'conflict.hint' : 'conflict.none')}</p>
        <div className="conflict-fields">
          {fields.map((field) => (
            <fieldset key={field.name}>
              <legend>{field.label}</legend>
              <Version name={field.name} side="mine" value={field.mine} />
              <Version name={field.name} side="theirs" value={field.theirs} />
            </fieldset>
          ))}
          {taken.length > 0 && (
            <section className="conflict-taken">
              <h3>{text('conflict.taken')}</h3>
              <dl>
                {taken.map((field) => (
                  <div key={field.name}>
                    <dt>{field.label}</dt>
                    <dd>{field.theirs || text('conflict.blank')}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )}
        </div>
        <div className="modal-buttons">
          <button type="button" onClick={engine.dismissConflict}>
            {text('conflict.later')}
          </button>
          <button type="submit" className="modal-confirm">
            {text(fields.length > 0 ? 'conflict.save' : 'conflict.saveAll')}
          </button>
        </div>
      </form>
    </dialog>
  )
}

interface VersionProps {
  readonly name: string
  readonly side: 'mine' | 'theirs'
  readonly value: string
}

function Version({ name, side, value }: VersionProps) {
  const { text } = useApp()
  return (
    <label>
      <input type="radio" name={name} value={side} defaultChecked={side === 'mine'} />
      <span className="conflict-side">{text(`conflict.${side}`)}</span>
      <span>{value === '' ? text('conflict.blank') : value}</span>
    </label>
  )
}
