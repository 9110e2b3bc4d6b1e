import { GlyphShape } from './glyph.tsx'

/** Icons of players, files, dates and details, which the first page does not need. */
const PATHS = {
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10a3.5 3.5 0 100 7 3.5 3.5 0 000-7z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  sound: 'M4 10v4h4l5 4V6l-5 4zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11',
  mute: 'M4 10v4h4l5 4V6l-5 4zM16 9.5l5 5M21 9.5l-5 5',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  phone: 'M6 3h3l2 5-2.5 1.5a12 12 0 006 6L16 13l5 2v3a3 3 0 01-3 3A15 15 0 013 6a3 3 0 013-3z',
  horn: 'M4 10v4h4l8 5V5l-8 5zM19 9a4 4 0 010 6',
  retry: 'M20 12a8 8 0 11-2.5-5.8M20 4v5h-5',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2',
} as const

/** Like `Glyph`. */
export function MoreGlyph({
  name,
  size = 16,
}: {
  readonly name: keyof typeof PATHS
  readonly size?: number
}) {
  return <GlyphShape path={PATHS[name]} size={size} />
}
