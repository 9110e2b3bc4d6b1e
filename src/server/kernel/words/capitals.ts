/** 大写: the formal way of writing an amount of money that prevents later changes. */
const DIGITS = '零壹贰叁肆伍陆柒捌玖'
const PLACES = ['', '拾', '佰', '仟']
const GROUPS = ['', '万', '亿', '万亿']
/** Maximum for four groups of four digits. */
const MAX_YUAN = 10 ** 16

/**
 * An amount in capitals, as on a contract, receipt or cheque: 1200.05 is 壹仟贰佰元零伍分, 10 is 壹拾元整.
 *
 * @param yuan  at most two decimals; a negative one begins with 负
 * @returns an empty text if it is not an amount or too large
 */
export function inCapitals(yuan: number): string {
  const cents = Math.round(Math.abs(yuan) * 100)
  if (!Number.isSafeInteger(cents) || cents >= MAX_YUAN * 100) return ''
  const wholeYuan = Math.floor(cents / 100)
  const jiao = Math.floor(cents / 10) % 10
  const fen = cents % 10
  const sign = yuan < 0 && cents > 0 ? '负' : ''
  if (cents === 0) return `${DIGITS[0]}元整`
  const head = wholeYuan === 0 ? '' : `${yuanInCapitals(wholeYuan)}元`
  if (jiao === 0 && fen === 0) return `${sign}${head}整`
  const gap = jiao === 0 && wholeYuan > 0 ? DIGITS[0] : ''
  const tenth = jiao === 0 ? gap : `${DIGITS[jiao]}角`
  return `${sign}${head}${tenth}${fen === 0 ? '整' : `${DIGITS[fen]}分`}`
}

/** A whole number above 0: groups of four digits, with one 零 for each run of zeros inside. */
function yuanInCapitals(yuan: number): string {
  let written = ''
  let isGap = false
  for (let group = 3; group >= 0; group -= 1) {
    const part = Math.floor(yuan / 10_000 ** group) % 10_000
    if (part === 0) {
      isGap = written !== ''
      continue
    }
    const zero = written !== '' && (isGap || part < 1000) ? DIGITS[0] : ''
    written += `${zero}${groupInCapitals(part)}${GROUPS[group]}`
    isGap = false
  }
  return written
}

function groupInCapitals(part: number): string {
  let written = ''
  let isGap = false
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(part / 10 ** place) % 10
    if (digit === 0) {
      isGap = written !== ''
      continue
    }
    written += `${isGap ? DIGITS[0] : ''}${DIGITS[digit]}${PLACES[place]}`
    isGap = false
  }
  return written
}
