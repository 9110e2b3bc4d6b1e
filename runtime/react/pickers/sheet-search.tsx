import { Glyph } from '../kit/glyph.tsx'
import { useText } from '../page/page-context.ts'

/** The search box at the top of a sheet of choices. */
export function SheetSearch({
  value,
  onSearch,
}: {
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  const t = useText()
  return (
    <div className="vf-sheet-search">
      <Glyph name="search" size={18} />
      <input
        className="vf-search-box"
        type="search"
        aria-label={t('widget.search')}
        placeholder={t('widget.search')}
        value={value}
        onChange={(event) => onSearch(event.target.value)}
      />
    </div>
  )
}
