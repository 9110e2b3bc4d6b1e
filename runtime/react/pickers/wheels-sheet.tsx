import { useId, useState } from 'react'
import { useText } from '../page/page-context.ts'
import { PickerLayer } from './picker-layer.tsx'
import { Wheels, type WheelsProps } from './wheels.tsx'

interface Props extends Omit<WheelsProps, 'keys' | 'onTurn'> {
  readonly id: string
  readonly open: boolean
  readonly title: string
  /** Initial keys of the wheels. */
  readonly start: readonly string[]
  /** Closed without a choice. */
  readonly onClose: () => void
  readonly onPick: (keys: readonly string[]) => void
}

/** Wheels with a title between two buttons. Nothing is chosen before it is confirmed. */
export function WheelsSheet({ id, open, ...contents }: Props) {
  const titleId = useId()
  return (
    <PickerLayer id={id} open={open} naming={{ 'aria-labelledby': titleId }} onClose={contents.onClose}>
      <Contents titleId={titleId} {...contents} />
    </PickerLayer>
  )
}

/** Mounted each time the sheet opens. */
function Contents({
  titleId,
  title,
  start,
  parts,
  columns,
  onClose,
  onPick,
}: Omit<Props, 'id' | 'open'> & { readonly titleId: string }) {
  const t = useText()
  const [keys, setKeys] = useState(start)
  return (
    <>
      <div className="vf-wheels-head">
        <button type="button" className="vf-link" onClick={onClose}>
          {t('widget.cancel')}
        </button>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="vf-link" onClick={() => onPick(keys)}>
          {t('widget.confirm')}
        </button>
      </div>
      <Wheels parts={parts} columns={columns} keys={keys} onTurn={setKeys} />
    </>
  )
}
