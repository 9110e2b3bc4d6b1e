/** A rule that a field names in `validation`. */
export interface NamedRule {
  /** Source of an anchored pattern that runs in linear time; null imposes nothing. */
  readonly pattern: RegExp | null
  /** Code of the words after `[<label>]`. */
  readonly textCode: string
}

/**
 * The named rules. All patterns are anchored and unambiguous at each character, so that a long text costs linear time.
 * `regExp` stands for the field's own pattern; noBlankStart and noBlankEnd exist but impose nothing.
 */
export const NAMED_RULES: Readonly<Record<NamedRuleName, NamedRule>> = {
  number: { pattern: /^-?\d+(?:\.\d+)?$/, textCode: 'rule.number' },
  letter: { pattern: /^[A-Za-z]+$/, textCode: 'rule.letter' },
  letterAndNumber: { pattern: /^[A-Za-z0-9]+$/, textCode: 'rule.letterAndNumber' },
  mobilePhone: { pattern: /^1[3-9]\d{9}$/, textCode: 'rule.mobilePhone' },
  letterStartNumberIncluded: {
    pattern: /^[A-Za-z][A-Za-z\d]*$/,
    textCode: 'rule.letterStartNumberIncluded',
  },
  noChinese: { pattern: /^[^\u4e00-\u9fa5]+$/, textCode: 'rule.noChinese' },
  chinese: { pattern: /^[\u4e00-\u9fa5]+$/, textCode: 'rule.chinese' },
  email: {
    pattern: /^[-_A-Za-z0-9.]+@(?:[_A-Za-z0-9]+\.)+[A-Za-z0-9]{2,3}$/,
    textCode: 'rule.email',
  },
  url: {
    pattern: /^https?:\/\/(?:[A-Za-z0-9~-]+\.)+[A-Za-z0-9~/-]+$/i,
    textCode: 'rule.url',
  },
  noBlankStart: { pattern: null, textCode: 'rule.regExp' },
  noBlankEnd: { pattern: null, textCode: 'rule.regExp' },
  regExp: { pattern: null, textCode: 'rule.regExp' },
}

export type NamedRuleName =
  | 'number'
  | 'letter'
  | 'letterAndNumber'
  | 'mobilePhone'
  | 'letterStartNumberIncluded'
  | 'noChinese'
  | 'chinese'
  | 'email'
  | 'url'
  | 'noBlankStart'
  | 'noBlankEnd'
  | 'regExp'

/** True when `name` is in the table; any other text is a pattern of the field's own. */
export function isNamedRule(name: string): name is NamedRuleName {
  return Object.hasOwn(NAMED_RULES, name)
}

/** Whether a text satisfies a named rule. */
export function satisfies(name: NamedRuleName, text: string): boolean {
  return NAMED_RULES[name].pattern?.test(text) ?? true
}
