import { useState } from 'react'
import { valueAt } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { useField } from '../fields/field.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { useWideWindow } from '../kit/use-is-desktop.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { Tree } from '../side-tree/tree.tsx'
import { treeRows } from '../side-tree/tree-rows.ts'
import '../styles/side-tree.css'

export function View({ state }: ViewProps) {
  const scope = useScope()
  const engine = useEngine()
  const parts = useField(state)
  const fire = useFire(state)
  const isWide = useWideWindow()
  const [isOpen, setOpen] = useState(false)
  const { options } = state
  const nodeOptions = state.node.options
  const rows = treeRows(valueAt(scope, textOf(options.itemsBind)), textOf(options.rowKey) || 'id')
  const chosen = textOf(state.value)
  const nameOf = (id: string) => {
    const found = rows.find((row) => row.id === id)
    return found === undefined ? textOf(options.allText) : engine.fill(textOf(nodeOptions.rowText), found.row)
  }
  const tree = (
    <Tree
      label={state.label || state.node.name}
      rows={rows}
      chosen={chosen}
      all={textOf(options.allText)}
      nameOf={nameOf}
      noteOf={({ row }) => engine.fill(textOf(nodeOptions.rowNote), row)}
      movable={isWide && parts.open && options.moveOn != null && isTruthy(applyRule(options.moveOn, scope))}
      onChoose={(id) => {
        parts.change(id === '' ? null : id)
        setOpen(false)
      }}
      onMove={({ row }, to) => void fire('move', [to], row)}
      onDrop={({ row }, ids) => void fire('drop', [ids], row)}
    />
  )
  if (isWide) return <nav className="vf-side-tree">{tree}</nav>
  return (
    <div className="vf-side-tree">
      <button
        type="button"
        className="vf-side-tree-face"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="vf-quiet">{state.label}</span>
        <span>{nameOf(chosen)}</span>
        <Glyph name={isOpen ? 'down' : 'right'} />
      </button>
      {isOpen ? tree : null}
    </div>
  )
}
