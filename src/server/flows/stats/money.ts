/** True for an amount of whole cents; what a float cannot hold counts as typed. */
export function hasTwoDecimals(value: number): boolean {
  const written = String(value)
  return !written.includes('e') && (written.split('.')[1] ?? '').length <= 2
}
