import { NAME } from '../../../model/attributes.ts'
import { readingOf } from '../../kernel/words/pinyin.ts'

const MAX_LENGTH = 40
/** For a name with longer pinyin the initials are used. */
const MAX_PINYIN = 24

/**
 * A code for a name: its pinyin, without characters a code cannot contain (微信群 → weixinqun; for a long one the initials).
 *
 * @param isTaken  codes that are in use
 */
export function codeOf(label: string, isTaken: (code: string) => boolean): string {
  const { py, py_initial } = readingOf(label, 'company')
  const isLong = py.length > MAX_PINYIN && /\P{ASCII}/u.test(label)
  const sound = (isLong ? py_initial : py).replace(/\W+/g, '_').replace(/^_+|_+$/g, '')
  const begun = /^[a-z]/.test(sound) ? sound : `f_${sound}`
  const code = begun.slice(0, MAX_LENGTH).replace(/_+$/, '')
  const base = NAME.test(code) ? code : 'field'
  for (let n = 1; ; n += 1) {
    const tail = n === 1 ? '' : `_${n}`
    const candidate = `${base.slice(0, MAX_LENGTH - tail.length)}${tail}`
    if (!isTaken(candidate)) return candidate
  }
}
