/** The icons that the first page and most fields need. Those of players, files, dates and details: `more-glyphs.tsx`; all others are loaded by {@link Icon}. */
const PATHS = {
  right: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  cross: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  check: 'M5 12.5l5 5 9-11',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16.5 16.5L21 21',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6z',
  'eye-off': 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6zM4 20L20 4',
  info: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5M12 7.5v.5',
} as const

export type GlyphName = keyof typeof PATHS

/** A line icon in the colour of the text; decorative, so hidden from screen readers. */
export function Glyph({ name, size = 16 }: { readonly name: GlyphName; readonly size?: number }) {
  return <GlyphShape path={PATHS[name]} size={size} />
}

/** The same for a path that is drawn in a square of 24 units. */
export function GlyphShape({ path, size }: { readonly path: string; readonly size: number }) {
  return (
    <svg
      className="vf-glyph"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
