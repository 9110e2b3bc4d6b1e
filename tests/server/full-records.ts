import type { JsonObject } from '../../runtime/core/json.ts'

const FILES = [{ name: '营业执照.pdf', url: '/files/licence.pdf', size: 1024, ext: 'pdf' }]
const REGION = ['440000', '440300', '440305']

/** A lead with every field filled in, except those that must be unique. */
export const FULL_LEAD = {
  company: '满格科技有限公司',
  contact_name: '满女士',
  telephone: '0755-86012345',
  wechat: 'wx_full',
  email: 'full@example.cn',
  position: '采购经理',
  source: 'website',
  level: 'hot',
  industry: 'information',
  scale: 's21_50',
  region: REGION,
  address: '科技园南区一号楼',
  demand: '三年维保',
  products: ['erp'],
  budget: 80_000,
  expected_date: '2026-06-01',
  next_follow_at: '2026-04-01 09:00:00',
  remark: '展会上认识',
  attachments: FILES,
} satisfies JsonObject

/** A customer with every field filled in, except those that must be unique. */
export const FULL_CUSTOMER = {
  short_name: '满格',
  customer_type: 'end_user',
  level: 'A',
  source: 'referral',
  industry: 'information',
  scale: 's21_50',
  stage: 'intent',
  telephone: '0755-86012346',
  email: 'office@example.cn',
  wechat: 'wx_office',
  website: 'https://full.example.cn',
  credit_code: '91440300MA5FULL01X',
  region: REGION,
  address: '科技园南区二号楼',
  lng: 113.95,
  lat: 22.54,
  tags: ['price_sensitive'],
  next_follow_at: '2026-04-01 09:00:00',
  remark: '老客户介绍',
  attachments: FILES,
} satisfies JsonObject

/** A contact with every field filled in, except the phone number. */
export const FULL_CONTACT = {
  name: '满先生',
  mobile2: '13800001234',
  telephone: '0755-86012347',
  wechat: 'wx_contact',
  email: 'contact@example.cn',
  qq: '123456789',
  gender: 'male',
  department: '采购部',
  position: '经理',
  role: 'decision_maker',
  is_key: true,
  is_primary: true,
  attitude: 'support',
  birthday: '1980-05-06',
  birthday_lunar: false,
  hobby: '羽毛球',
  region: REGION,
  address: '科技园南区三号楼',
  remark: '上午方便',
} satisfies JsonObject

/** An opportunity with every field filled in, except its contacts. */
export const FULL_BUSSINESS = {
  amount: 120_000,
  expected_date: '2026-06-30',
  win_rate: 40,
  source: 'referral',
  type: 'new',
  competitor: ['对手甲'],
  discount_rate: 95,
  next_step: '递交方案',
  next_follow_at: '2026-04-02 09:00:00',
  remark: '年内上线',
  attachments: FILES,
} satisfies JsonObject
