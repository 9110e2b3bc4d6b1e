/** The two extremes of demo records: all fields filled in, and only the required ones. */
interface Extremes {
  readonly full: object
  readonly bare: object
}

/** Of ten records, one has all fields and one only the required ones, so that every page is seen with both. */
export function atExtremes(index: number, { full, bare }: Extremes): object {
  return index % 10 === FULL ? full : index % 10 === BARE ? bare : {}
}

/** True for records with only the required fields. */
export const isBare = (index: number): boolean => index % 10 === BARE

const FULL = 4
const BARE = 7
const LONG_TEXT =
  '展会上当面聊过一次，对方已经有一套旧系统，想在年内换掉；预算要等总部批复，先把方案和报价准备好。'.repeat(3)

/** Columns of a customer that are not computed from others. */
export const CUSTOMER_EXTREMES: Extremes = {
  full: {
    wechat: 'wx_office_01',
    email: 'office@example.cn',
    tags: ['price_sensitive', 'service_minded', 'can_refer'],
    remark: LONG_TEXT,
  },
  bare: {
    short_name: null,
    scale: null,
    email: null,
    credit_code: null,
    region: [],
    address: null,
    lng: null,
    lat: null,
    tags: [],
    remark: null,
  },
}

export const CONTACT_EXTREMES: Extremes = {
  full: {
    telephone: '0755-26001234',
    wechat: 'wx_person_01',
    email: 'person@example.cn',
    qq: '123456789',
    birthday: '1983-09-10',
    hobby: '羽毛球，周末爬山',
    region: ['440000', '440300', '440305'],
    address: '南山区科技园南路 8 号 1201 室',
    remark: LONG_TEXT,
  },
  bare: {
    gender: null,
    department: null,
    position: null,
    role: null,
    is_key: false,
    attitude: null,
    birthday: null,
  },
}

/** Fields of a lead, which its score depends on. */
export const LEAD_EXTREMES: Extremes = {
  full: {
    telephone: '0755-26005678',
    wechat: 'wx_lead_01',
    email: 'lead@example.cn',
    position: '采购经理',
    scale: 's101_500',
    address: '科技园北区 3 栋',
    demand: LONG_TEXT,
    budget: 128_000.5,
    remark: LONG_TEXT,
  },
  bare: {
    contact_name: null,
    position: null,
    industry: null,
    scale: null,
    region: [],
    demand: null,
    budget: null,
    expected_date: null,
    level: null,
  },
}

export const BUSSINESS_EXTREMES: Extremes = {
  full: {
    source: 'referral',
    competitor: ['远景软件', '本地集成商'],
    discount_rate: 92.5,
    next_step: '递交终版方案，并请客户的财务确认付款方式',
    remark: LONG_TEXT,
  },
  bare: { contact_ids: [], type: null, source: null },
}

export const CONTRACT_EXTREMES: Extremes = {
  full: { discount_rate: 92.5, remark: LONG_TEXT },
  bare: { start_date: null, end_date: null, payment_terms: null },
}

export const PAYMENT_EXTREMES: Extremes = {
  full: {
    payer: '客户的母公司（集团）有限公司',
    bank_account: '招商银行深圳分行 7559 1234 5678 901',
    remark: LONG_TEXT,
  },
  bare: {},
}
