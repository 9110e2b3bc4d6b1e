const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes as text. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}
