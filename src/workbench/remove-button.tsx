import { Glyph } from '../../runtime/react/kit/glyph.tsx'

/** The cross at the end of a row, which removes the row. @param label  identifies the row */
export function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="wb-icon" aria-label={label} onClick={onClick}>
      <Glyph name="cross" size={12} />
    </button>
  )
}
