import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { t } from '../context.ts'
import { RemoveButton } from '../remove-button.tsx'

interface Props {
  readonly list: readonly Json[]
  readonly onChange: (list: readonly Json[]) => void
}

/** Choices as rows of label and stored value. */
export function ChoicesEditor({ list, onChange }: Props) {
  const setValue = (index: number, key: string, value: string) =>
    onChange(list.map((one, i) => (i === index && isObject(one) ? { ...one, [key]: value } : one)))
  const words = (one: Json, key: string): string => String(ownValue(one, key) ?? '')
  return (
    <div className="wb-choices">
      {list.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: choices have no identity but their place
        <div key={index}>
          <input
            value={words(one, 'label')}
            aria-label={t('workbench.choices.label', { n: index + 1 })}
            onChange={(event) => setValue(index, 'label', event.target.value)}
          />
          <input
            className="wb-code"
            value={words(one, 'value')}
            aria-label={t('workbench.choices.value', { n: index + 1 })}
            onChange={(event) => setValue(index, 'value', event.target.value)}
          />
          <RemoveButton
            label={t('workbench.choices.remove', { n: index + 1 })}
            onClick={() => onChange(list.toSpliced(index, 1))}
          />
        </div>
      ))}
      <button
        type="button"
        className="wb-link"
        onClick={() =>
          onChange([
            ...list,
            { label: t('workbench.choices.new', { n: list.length + 1 }), value: `v${list.length + 1}` },
          ])
        }
      >
        <Glyph name="plus" size={12} />
        {t('workbench.choices.add')}
      </button>
    </div>
  )
}
