/**
 * Filters what is typed or pasted into a text box for numbers: keeps digits, a leading minus and one decimal point. The result stays text, because
 * leading zeros belong to it, and an incomplete number (`-`, `1.`) may be in progress. Full-width characters of an input method are converted.
 */
export function numberText(text: string): string {
  const cleaned = text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/[^\d.-]/g, '')
  const [integer = '', ...parts] = cleaned.replaceAll('-', '').split('.')
  return `${cleaned.startsWith('-') ? '-' : ''}${integer}${parts.length > 0 ? `.${parts.join('')}` : ''}`
}
