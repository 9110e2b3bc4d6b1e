import { Glyph } from '../../runtime/react/kit/glyph.tsx'

/** The cross at the end of a row, which takes the row out. @param label  says which */
export function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="wb-icon" aria-label={label} onClick={onClick}>
      <Glyph name="cross" size={12} />
    </button>
  )
}
