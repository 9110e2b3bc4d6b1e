/**
 * Filters what is typed or pasted into a text box for numbers: keeps digits, a leading minus and one decimal point. The result stays text, because
 * leading zeros belong to it, and an incomplete number (`-`, `1.`) may be in progress. Full-width characters of an input method are converted.
 */
export function numberText(text: string): string {
  const kept = text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/[^\d.-]/g, '')
  const [whole = '', ...parts] = kept.replaceAll('-', '').split('.')
  return `${kept.startsWith('-') ? '-' : ''}${whole}${parts.length > 0 ? `.${parts.join('')}` : ''}`
}
