/** A name with its middle hidden: 深圳市华信科技有限公司 → 深圳*******公司; short names keep their first character. @see DOMAIN 1.1.3 */
export function maskName(name: string): string {
  const chars = Array.from(name)
  if (chars.length <= 1) return chars.length === 0 ? '' : '*'
  const visible = chars.length >= 6 ? 2 : 1
  const tail = chars.length >= 3 ? visible : 0
  const end = chars.length - tail
  return chars.map((char, i) => (i < visible || i >= end ? char : '*')).join('')
}

/** A phone number with its middle hidden: 13812341234 → 138****1234. @see DOMAIN 2.3 */
export function maskPhone(phone: string): string {
  if (phone.length >= 11) return `${phone.slice(0, 3)}${'*'.repeat(phone.length - 7)}${phone.slice(-4)}`
  return phone.length <= 4 ? '*'.repeat(phone.length) : `${'*'.repeat(phone.length - 4)}${phone.slice(-4)}`
}

const REST = '***'

/** Any other value (email, wechat, a text of a tenant's own field) with all but its first character hidden, and its length; a single character is hidden, too. */
export function maskText(text: string): string {
  const [first = '', ...rest] = Array.from(text)
  if (first === '') return ''
  return rest.length === 0 ? REST : first + REST
}
