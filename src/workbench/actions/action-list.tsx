import { useState } from 'react'
import { isObject } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t } from '../context.ts'
import { JsonEditor } from '../panels/json-editor.tsx'
import { fieldsOf } from '../rules/fields-of.ts'
import { ActionForm, type ListProps } from './action-form.tsx'
import { actionSentence, convertAction, isAction } from './model.ts'

/** Actions in the order of execution: each a sentence, with its form below. */
export function ActionList({ list, within, onChange }: ListProps) {
  const { drawn } = useCanvas()
  const fields = drawn?.engine == null ? [] : fieldsOf(drawn.engine)
  const [opened, setOpened] = useState(-1)
  const swap = (index: number, other: number) => {
    const [first, second] = [list[index], list[other]]
    if (first !== undefined && second !== undefined)
      onChange(list.with(index, second).with(other, first), false)
  }
  return (
    <div className="wb-actions">
      {list.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
        <div key={index} className="wb-action">
          <button
            type="button"
            className="wb-action-said"
            aria-expanded={index === opened}
            onClick={() => setOpened(index === opened ? -1 : index)}
          >
            {`${index + 1}. ${actionSentence(action, fields)}`}
          </button>
          {index === opened && (
            <>
              {isAction(action) ? (
                <ActionForm
                  action={action}
                  List={ActionList}
                  onChange={(next, isTyped) => onChange(list.with(index, next), isTyped)}
                />
              ) : (
                <JsonEditor
                  label={t('workbench.action.json', { n: index + 1 })}
                  value={action}
                  onChange={(next) => isObject(next) && onChange(list.with(index, next), false)}
                />
              )}
              <Moves
                isFirst={index === 0}
                isLast={index === list.length - 1}
                onMove={(step) => {
                  swap(index, index + step)
                  setOpened(index + step)
                }}
                onRemove={() => {
                  onChange(list.toSpliced(index, 1), false)
                  setOpened(-1)
                }}
              />
            </>
          )}
        </div>
      ))}
      <button
        type="button"
        className="wb-link"
        aria-label={t('workbench.action.addTo', { within })}
        onClick={() => {
          onChange([...list, convertAction('toast', {})], false)
          setOpened(list.length)
        }}
      >
        <Glyph name="plus" size={12} />
        {t('workbench.action.add')}
      </button>
    </div>
  )
}

interface MovesProps {
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
  readonly onRemove: () => void
}

function Moves({ isFirst, isLast, onMove, onRemove }: MovesProps) {
  return (
    <div className="wb-acts">
      <button type="button" className="wb-act" disabled={isFirst} onClick={() => onMove(-1)}>
        {t('workbench.action.earlier')}
      </button>
      <button type="button" className="wb-act" disabled={isLast} onClick={() => onMove(1)}>
        {t('workbench.action.later')}
      </button>
      <button type="button" className="wb-act wb-danger" onClick={onRemove}>
        {t('workbench.action.remove')}
      </button>
    </div>
  )
}
