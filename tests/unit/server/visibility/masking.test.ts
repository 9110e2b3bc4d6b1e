import { describe, expect, it } from 'vitest'
import type { MergedModule } from '../../../../src/model/merge-module.ts'
import type { Caller } from '../../../../src/server/kernel/auth/caller.ts'
import type { FieldRights } from '../../../../src/server/kernel/auth/field-rights.ts'
import {
  combineMasks,
  isMaskedEntity,
  type Mask,
  type MaskedEntity,
  maskExt,
  maskOf,
  maskRow,
  maskValues,
  rightsMask,
} from '../../../../src/server/kernel/visibility/masking.ts'

const who = (fieldRights: FieldRights = {}) => ({ fieldRights }) as Caller
const OWNED = { owner_id: 'u1' }
const POOLED = { owner_id: null }
const sorted = (mask: ReturnType<typeof maskOf>) => ({
  masked: [...mask.masked].sort(),
  hidden: [...mask.hidden].sort(),
})
const mask = (
  masked: readonly string[],
  hidden: readonly string[] = [],
  inPart: readonly string[] = [],
): Mask => ({ masked: new Set(masked), hidden: new Set(hidden), inPart: new Set(inPart) })
const described = (fields: readonly object[]) =>
  ({
    name: 'bussiness',
    origin: 'vendor',
    fields: fields.map((field) => ({ origin: 'tenant', ...field })),
  }) as unknown as MergedModule
const WAYS = ['email', 'mobile', 'mobile2', 'qq', 'telephone', 'wechat']
const WAYS_AND_CONTACTS = [...WAYS, 'attachments', 'contact_mobile', 'contact_name', 'contacts'].sort()

describe('the masks of a row', () => {
  it.each<[MaskedEntity, readonly string[]]>([
    ['customer', WAYS_AND_CONTACTS],
    ['lead', WAYS_AND_CONTACTS],
    ['contact', WAYS_AND_CONTACTS],
    ['bussiness', ['amount', 'discount_rate', 'lines', 'weighted']],
  ])('of a %s in a pool have their defaults', (entity, masked) => {
    expect(sorted(maskOf(who(), entity, POOLED))).toEqual({ masked, hidden: [] })
    expect(sorted(maskOf(who(), entity, { ...POOLED, pool_masks: null }))).toEqual({ masked, hidden: [] })
    expect(sorted(maskOf(who(), entity, { ...POOLED, pool_masks: 'mobile' }))).toEqual({ masked, hidden: [] })
  })

  it('in a pool follow the pool’s settings, even empty ones, and include derived fields', () => {
    const pool = (...pool_masks: unknown[]) =>
      sorted(maskOf(who(), 'customer', { ...POOLED, pool_masks })).masked
    expect(pool()).toEqual([])
    expect(pool('email')).toEqual(['email'])
    expect(pool('mobile')).toEqual(['contact_mobile', 'mobile', 'mobile2'])
    expect(pool('contacts', 7, null)).toEqual(['attachments', 'contact_mobile', 'contact_name', 'contacts'])
    expect(pool('amount')).toEqual(['amount', 'discount_rate', 'lines', 'weighted'])
  })

  it('are empty for a row with an owner, whatever its pool declares, except the masks of roles', () => {
    expect(sorted(maskOf(who(), 'customer', { ...OWNED, pool_masks: ['email'] }))).toEqual({
      masked: [],
      hidden: [],
    })
    const rights = { customer: { email: 'masked', qq: 'hidden', wechat: 'read' } } as const
    expect(sorted(maskOf(who(rights), 'customer', OWNED))).toEqual({ masked: ['email'], hidden: ['qq'] })
    expect(sorted(maskOf(who(rights), 'lead', OWNED))).toEqual({ masked: [], hidden: [] })
  })

  it('of the primary contact equal those of the customer’s own mobile', () => {
    for (const right of ['masked', 'hidden', 'read'] as const) {
      const reader = who({ contact: { mobile: right } })
      expect(sorted(maskOf(reader, 'customer', OWNED)).masked).toEqual(['contact_mobile'])
      expect(sorted(maskOf(reader, 'contact', OWNED)).masked).toEqual(
        right === 'masked' ? ['contact_mobile', 'mobile', 'mobile2'] : [],
      )
    }
    expect(sorted(maskOf(who({ contact: { email: 'masked' } }), 'customer', OWNED)).masked).toEqual([])
  })

  it('of own fields are declared by the fields, and only apply in a pool', () => {
    const own = described([
      { name: 'secret', mask: 'pool' },
      { name: 'open' },
      { name: 'told', formula: { cat: [{ var: 'ext.secret' }] } },
      { name: 'half', formula: { '/': [{ var: 'weighted' }, 2] } },
    ])
    expect(sorted(maskOf(who(), 'bussiness', { ...POOLED, pool_masks: [] }, own)).masked).toEqual([
      'ext.secret',
      'ext.told',
    ])
    expect(sorted(maskOf(who(), 'bussiness', POOLED, own)).masked).toContain('ext.half')
    expect(sorted(maskOf(who(), 'bussiness', OWNED, own)).masked).toEqual([])
    const rights = { bussiness: { stage: 'hidden' } } as const
    expect(sorted(maskOf(who(rights), 'bussiness', OWNED, own))).toEqual({ masked: [], hidden: ['stage'] })
  })

  it('of every row are declared by the rights of the roles', () => {
    const rights = { visit: { title: 'masked', note: 'hidden', day: 'read' } } as const
    expect(sorted(rightsMask(who(rights), 'visit'))).toEqual({ masked: ['title'], hidden: ['note'] })
    expect(sorted(rightsMask(who(rights), 'other'))).toEqual({ masked: [], hidden: [] })
  })

  it('from two sources are combined', () => {
    const one = mask(['a'], ['x'])
    expect(sorted(combineMasks(one, mask(['b'], ['y'])))).toEqual({ masked: ['a', 'b'], hidden: ['x', 'y'] })
    expect(sorted(combineMasks(one, mask([], ['y'])))).toEqual({ masked: ['a'], hidden: ['x', 'y'] })
    expect(sorted(combineMasks(one, mask(['b'])))).toEqual({ masked: ['a', 'b'], hidden: ['x'] })
    expect(combineMasks(one, mask([]))).toBe(one)
  })

  it('exist for four entities, and for no name of a prototype', () => {
    expect(
      ['customer', 'lead', 'bussiness', 'contact', 'contract', 'constructor', 'toString'].map(isMaskedEntity),
    ).toEqual([true, true, true, true, false, false, false])
  })
})

describe('a masked row', () => {
  it('is unchanged without masks', () => {
    const row = { mobile: '13812341234' }
    expect(maskRow(row, mask([]))).toBe(row)
  })

  it('shows phones by their ends, a name by its ends, other texts by their first character, and hides anything else', () => {
    const row = {
      mobile: '13812341234',
      mobile2: '13812341234',
      telephone: '0755-1234567',
      contact_mobile: '13812341234',
      contact_name: '欧阳娜娜',
      email: 'ab@c.cn',
      amount: 12,
      lines: [{ n: 1 }],
      open: 'open',
    }
    expect(maskRow(row, mask(Object.keys(row).filter((key) => key !== 'open')))).toEqual({
      mobile: '138****1234',
      mobile2: '138****1234',
      telephone: '075*****4567',
      contact_mobile: '138****1234',
      contact_name: '欧**娜',
      email: 'a***',
      amount: null,
      lines: [],
      open: 'open',
    })
  })

  it('has no hidden fields, and none of their labels', () => {
    const row = {
      region_name: 'r',
      region: '44',
      our_signer_name: 's',
      member_names: ['m'],
      nickname: 'n',
      name: 'x',
      _name: 'y',
    }
    expect(maskRow(row, mask([], ['region', 'our_signer_id', 'member_ids']))).toEqual({
      nickname: 'n',
      name: 'x',
      _name: 'y',
    })
    expect(maskRow(row, mask(['region', 'member_ids', 'our_signer']))).toMatchObject({
      region: null,
      region_name: null,
      member_names: [],
      our_signer_name: null,
    })
    expect(maskRow({ region_name: '深圳' }, mask(['region'], [], ['region']))).toEqual({ region_name: null })
    expect(maskRow({ region_names_old: '深圳', x_name: '深圳' }, mask(['region', 'y']))).toEqual({
      region_names_old: '深圳',
      x_name: '深圳',
    })
  })

  it.each(['remark', 'demand', 'last_follow_content', 'content', 'next_plan', 'next_step'])(
    'has no numbers and addresses in %s if a contact field is masked',
    (field) => {
      const text = '打 13812341234 或 +86 138-1234-1234、0755-12345678，邮箱 a.b@c.com.cn；编号 2138123412345'
      const told = { [field]: text, title: text }
      expect(maskRow(told, mask(['qq']))).toEqual({
        [field]: '打 138****1234 或 +86**********1234、075******5678，邮箱 a***；编号 2138123412345',
        title: text,
      })
      expect(maskRow(told, mask(['amount']))).toEqual(told)
      expect(maskRow({ [field]: 7 }, mask(['qq']))).toEqual({ [field]: 7 })
    },
  )

  it('masks own values by the same rule, by their names in a mask', () => {
    const ext = {
      phone: '13812341234',
      short: '123',
      days: [1],
      n: 5,
      code: 'B',
      open: 'o',
      gone: 'x',
      none: null,
    }
    const texts = ['ext.phone', 'ext.short', 'ext.days', 'ext.n', 'ext.none', 'open']
    const named = mask([...texts, 'ext.code'], ['ext.gone'], texts)
    const shown = {
      phone: '138****1234',
      short: '1***',
      days: [],
      n: null,
      code: null,
      open: 'o',
      none: null,
    }
    expect(maskExt(ext, named)).toEqual(shown)
    expect(maskRow({ ext, name: 'n' }, named)).toEqual({ ext: shown, name: 'n' })
    expect(maskRow({ ext: null, open: 'ab' }, named)).toEqual({ ext: null, open: 'a***' })
    expect(maskExt(ext, mask([]))).toBe(ext)
    expect(maskValues({ a: 'ab', b: 'cd', c: '0755-1234567' }, mask(['a', 'c'], ['b'], ['a', 'c']))).toEqual({
      a: 'a***',
      c: '075*****4567',
    })
  })

  it('does not tell how long a text is', () => {
    const shown = (a: string) => maskValues({ a }, mask(['a'], [], ['a'])).a
    expect(['张三', '张三是', '张'.repeat(2000)].map(shown)).toEqual(['张***', '张***', '张***'])
    expect(['张', ''].map(shown)).toEqual(['***', ''])
  })

  it('shows no part of a code, whose shortest part is all of it', () => {
    expect(
      maskRow({ level: 'C', level_name: 'C 级', remark: '甲' }, mask(['level', 'remark'], [], ['remark'])),
    ).toEqual({
      level: null,
      level_name: null,
      remark: '***',
    })
  })

  it('recognises a phone by leading digits and dashes', () => {
    const shown = (a: string) => maskValues({ a }, mask(['a'], [], ['a'])).a
    expect(
      ['1234567', '123456', 'x1234567', '1234567x', '12345678901234567890', '123456789012345678901'].map(
        shown,
      ),
    ).toEqual(['***4567', '1***', 'x***', '1***', '123*************7890', '1***'])
  })
})
