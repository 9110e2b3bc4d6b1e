/** Words of cards and signatures; in each list the longest alternative comes first. */

const SURNAMES =
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉钮龚程嵇邢裴陆荣翁荀羊惠甄曲封芮储靳汲糜松井段富巫乌焦巴弓牧山谷车侯宓蓬全班仰秋仲伊宫宁仇栾甘厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻党翟谭贡劳逄姬申扶堵冉宰郦雍桑桂牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广东欧沃利蔚越隆师巩聂晁勾敖融冷辛阚那简饶空曾沙养鞠须丰巢关蒯相查后荆红游竺权盖益桓肖岳覃兰代涂迟苑楚闫付苟邸佟'
const LONG_SURNAMES =
  '欧阳|上官|司马|诸葛|司徒|皇甫|尉迟|公孙|慕容|令狐|东方|夏侯|端木|独孤|南宫|西门|长孙|宇文|轩辕|百里'

/** A name written with spaces: 张 伟, 王 小 明, 欧阳 建国. */
export const SPACED_NAME = new RegExp(
  `^(?:[${SURNAMES}]|${LONG_SURNAMES}) [\\u4e00-\\u9fff](?: [\\u4e00-\\u9fff])?$|^(?:${LONG_SURNAMES}) [\\u4e00-\\u9fff]{2}$`,
)
/** 张三, 欧阳娜娜, 阿里木·买买提. */
export const CHINESE_NAME = new RegExp(
  `^(?:(?:${LONG_SURNAMES})[\\u4e00-\\u9fff]{1,2}|[${SURNAMES}][\\u4e00-\\u9fff]{1,2}|[\\u4e00-\\u9fff]{2,6}[·•・][\\u4e00-\\u9fff]{2,6})$`,
)
/** 王总, 何经理: common signatures in chats. */
export const COURTESY_NAME = new RegExp(
  `^(?:${LONG_SURNAMES}|[${SURNAMES}])(?:总|工|经理|主任|老师|总监|老板|师傅)$`,
)
/** A name followed by a title without a separator: 张三总经理. */
export const NAME_BEFORE = new RegExp(
  `^((?:${LONG_SURNAMES})[\\u4e00-\\u9fff]{1,2}|[${SURNAMES}][\\u4e00-\\u9fff]{1,2}?)(?=.)`,
)
/** Short words that begin with a surname but are not names. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  '广州 温州 东莞 江苏 江西 云南 安徽 甘肃 宁波 宁夏 常州 金华 济南 成都 武汉 石家庄 连云港 国际 文化 高级 华东 华南 华北 华中 东北 西南 国内 全国 双休 通讯 名片 关于 时间 红包 安全 管理 和平 项目 费用 方案 明天 应用 向上 服务 利润 能源 党委 空调'.split(
    ' ',
  ),
)
export const ENGLISH_NAME =
  /^(?:[A-Z][a-z'’-]{0,20}[a-z](?:\s(?:[A-Z]\.?|[A-Z][A-Za-z'’-]{1,20})){1,3}|[A-Z]{2,20},?\s[A-Z][a-z]{1,20}(?:\s[A-Z][a-z]{1,20})?|[A-Z][a-z]{1,20}\s[A-Z]{2,20})$/
/** Honorifics after a name. */
export const TITLE_BEHIND = /\s?\(?(?:先生|女士|小姐|老师)\)?$/
export const TITLE_BEFORE = /^(?:Mr|Ms|Mrs|Miss|Dr)\.?\s+/

export const COMPANY =
  /公司|集团|有限合伙|事务所|研究院|研究所|设计院|大学|学院|医院|中学|小学|银行|分行|支行|合作社|工作室|[\u4e00-\u9fff]{2}厂$|商行|经营部|门市部|俱乐部|协会|基金会|出版社|电视台|酒店|饭店|旗舰店/
export const COMPANY_ENGLISH =
  /(?:^|[\s,(])(?:Co\.?,? ?Ltd|Ltd|Limited|Inc|LLC|LLP|GmbH|Corp|Corporation|Company|Group|Holdings?|Technolog(?:y|ies)|Solutions|Industries|International|University|Hospital|Bank|Pte|Pty|PLC)(?:$|[\s,.)])/i
/** Endings of company names without a legal form. */
export const COMPANY_SHORT =
  /^[\u4e00-\u9fffA-Za-z]{2,14}(?:科技|技术|网络|软件|电子|贸易|商贸|实业|传媒|文化|咨询|物流|机械|装备|食品|服饰|家具|家居|医药|医疗|生物|材料|能源|化工|建设|建筑|装饰|地产|投资|证券|教育|智能|信息|电器|汽车|环保)$/

export const POSITION =
  /总经理|总裁|董事|总监|经理|主管|主任|部长|处长|科长|局长|院长|校长|厂长|店长|行长|组长|工程师|架构师|设计师|会计|律师|医师|经济师|教授|讲师|研究员|顾问|助理|秘书|代表|专员|文员|出纳|销售员|销售$|采购员|采购$|业务员|跟单员|合伙人|创始人|负责人|老板|总工|书记|技术员|分析师|策划|客服|首席.{1,6}官|客户主任/
export const POSITION_ENGLISH =
  /(?:^|[^a-z])(?:CEO|CTO|CFO|COO|CMO|CIO|VP|GM|President|Director|Manager|Engineer|Supervisor|Executive|Officer|Consultant|Assistant|Specialist|Representative|Founder|Co-founder|Partner|Chairman|Designer|Developer|Analyst|Architect|Coordinator|Secretary|Professor|Accountant|Lawyer|Attorney|Buyer|Head of|Lead|Sales)(?:$|[^a-z])/i
export const DEPARTMENT = /^[\u4e00-\u9fffA-Za-z]{1,12}(?:部|部门|事业部|处|科|中心|办公室|分公司)$/
/** 销售部经理 contains a department and a title. */
export const DEPARTMENT_BEFORE = /^([\u4e00-\u9fff]{2,10}(?:事业部|部|中心))([\u4e00-\u9fff]{2,10})$/

const ADDRESS_PARTS =
  /省|自治区|市|区|县|镇|乡|村|街|路|大道|巷|弄|胡同|号|栋|幢|座|楼|层|室|单元|大厦|园|广场/g
const ADDRESS_NUMBER = /[\dA-Za-z一二三四五六七八九十]\s?(?:号|栋|幢|座|弄|楼|层|室|单元|[Ff](?![a-z]))/
const ADDRESS_ENGLISH =
  /(?:^|[\s,.\d])(?:Road|Rd|Street|St|Avenue|Ave|Boulevard|Blvd|Lane|Drive|Building|Bldg|Floor|Room|Rm|Suite|Unit|District|Tower|Plaza|Square|Park|Province)(?:$|[\s,.\d])/gi
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** An address: a place with a house number, or enough parts to be unambiguous. */
export function isAddress(line: string): boolean {
  const parts = countOf(line, ADDRESS_PARTS)
  if (parts >= 2 && ADDRESS_NUMBER.test(line)) return true
  if (parts >= 3 && !COMPANY.test(line)) return true
  const english = countOf(line, ADDRESS_ENGLISH)
  return english >= 2 || (english === 1 && /\d/.test(line))
}

const LABEL_WORDS = {
  fax: '传真|Fax|F',
  name: '姓名|联系人|名字|Name|Contact Person|Contact',
  company: '公司名称|公司|单位名称|工作单位|单位|企业名称|Company|Organization',
  department: '所属部门|部门|Department|Dept',
  position: '职务|职位|岗位|头衔|Job Title|Position|Title',
  mobile: '手机号码|手机号|手机|移动电话|Mobile Phone|Mobile|Cellphone|Cell|Mob|MP|M',
  telephone:
    '联系电话|办公电话|公司电话|电话号码|联系方式|服务热线|电话|座机|固话|直线|总机|热线|Telephone|Tel|Phone|Direct|Office|Ph|T|P|D|O',
  email: '电子邮箱|电子邮件|邮箱地址|邮箱|邮件|E-mail|Email|Mail|E',
  website: '公司网址|网址|网站|官网|主页|Website|Web|URL|Site|W',
  address: '公司地址|办公地址|联系地址|通讯地址|详细地址|地址|厂址|Address|Addr|Add|A',
  wechat: '微信号|微信|WeChat ID|WeChat|Weixin|WX|VX',
  other: 'QQ|邮编|税号|统一社会信用代码|开户行|开户银行|银行账号|账号|Zip|Postcode|WhatsApp|Skype|Line',
} as const
export type Label = keyof typeof LABEL_WORDS

/** A label before a colon; labels of several Chinese characters also before a space. A single letter needs the colon. */
const labelOf = (list: string): string => {
  const all = list.split('|')
  const chinese = all.filter((word) => /[\u4e00-\u9fff]/.test(word)).join('|') || '(?!)'
  return `(?:(?:${all.join('|')})\\s{0,4}(?:/\\s{0,2}[A-Za-z\\u4e00-\\u9fff]{1,9}\\s{0,2})?:|(?:${chinese})\\s{1,4}|(?:${all.filter((word) => word.length > 1).join('|')})\\.?\\s{1,4}(?=[+(\\d]))`
}
export const LABELS: readonly (readonly [Label, RegExp])[] = (Object.keys(LABEL_WORDS) as Label[]).map(
  (label) => [label, new RegExp(`^${labelOf(LABEL_WORDS[label])}\\s{0,5}`, 'i')],
)
/** The position before another label in the same line. */
export const NEXT_LABEL = new RegExp(
  `[\\s,、]{1,5}(?=(?:${Object.values(LABEL_WORDS).join('|')})\\s{0,4}(?::|\\.?\\s{0,3}(?=[+(]?\\d{3})))`,
  'gi',
)
/** The notations of extensions. */
export const EXTENSION = '(?:\\s{0,2}(?:-|/|转|分机|ext\\.?|x|#)\\s{0,2}(\\d{1,6})(?!\\d))?'
