/**
 * What a text box for numbers keeps of what is typed or pasted: digits, a minus in front and one point. It stays text: leading zeros
 * belong to it, and half a number (`-`, `1.`) is on its way. Full-width signs of an input method count as the plain ones.
 */
export function numberText(text: string): string {
  const kept = text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/[^\d.-]/g, '')
  const [whole = '', ...parts] = kept.replaceAll('-', '').split('.')
  return `${kept.startsWith('-') ? '-' : ''}${whole}${parts.length > 0 ? `.${parts.join('')}` : ''}`
}
