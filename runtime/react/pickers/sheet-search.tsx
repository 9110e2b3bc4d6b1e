import { Glyph } from '../kit/glyph.tsx'
import { useText } from '../page/page-context.ts'

/** The search box at the top of a sheet of choices. */
export function SheetSearch({
  value,
  onSearch,
  hint,
  onEnter,
}: {
  readonly value: string
  readonly onSearch: (text: string) => void
  /** A label of its purpose, if that is more than a search. */
  readonly hint?: string
  readonly onEnter?: () => void
}) {
  const t = useText()
  return (
    <div className="vf-sheet-search">
      <Glyph name="search" size={18} />
      <input
        className="vf-search-box"
        type="search"
        aria-label={t('widget.search')}
        placeholder={hint ?? t('widget.search')}
        value={value}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          // Enter that confirms a suggestion of the input method is ignored.
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter?.()
        }}
      />
    </div>
  )
}
