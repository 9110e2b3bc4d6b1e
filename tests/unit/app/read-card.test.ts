import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { type Card, readCard } from '../../../src/app/card/read-card.ts'

/** The parts read from a text; unnamed parts must be empty, the rest is only checked if named. */
const CARDS: readonly (readonly [string, string, Partial<Card>])[] = [
  [
    'a Chinese card',
    '张三\n采购经理\n深圳市华信软件有限公司\n手机：13800138000\n电话：0755-26001234\n邮箱：zhangsan@huaxin.com\n地址：深圳市南山区科技园南路18号A座1203室\n网址：www.huaxin.com',
    {
      name: '张三',
      position: '采购经理',
      company: '深圳市华信软件有限公司',
      mobile: '13800138000',
      telephone: '0755-26001234',
      email: 'zhangsan@huaxin.com',
      address: '深圳市南山区科技园南路18号A座1203室',
      website: 'www.huaxin.com',
    },
  ],
  [
    'name and position in one line',
    '李四 总经理\n北京恒远科技股份有限公司\nTel: 010-62551234\nMobile: 139 1012 3456',
    {
      name: '李四',
      position: '总经理',
      company: '北京恒远科技股份有限公司',
      telephone: '010-62551234',
      mobile: '13910123456',
    },
  ],
  [
    'position before the name',
    '销售总监 王小明\n上海远东电器集团\n138-1234-5678',
    { name: '王小明', position: '销售总监', company: '上海远东电器集团', mobile: '13812345678' },
  ],
  [
    'name and position without a pause',
    '刘洋总经理\n杭州云帆网络科技有限公司\n15858123456',
    { name: '刘洋', position: '总经理', company: '杭州云帆网络科技有限公司', mobile: '15858123456' },
  ],
  [
    'name with bars',
    '陈晓燕 | 市场部经理 | 广州白云电气有限公司 | 18620001111',
    {
      name: '陈晓燕',
      department: '市场部',
      position: '经理',
      company: '广州白云电气有限公司',
      mobile: '18620001111',
    },
  ],
  [
    'a full-width card',
    '姓名：赵　云\n公司：成都蜀汉商贸有限公司\n手机：１３９８０１２３４５６\n邮箱：zhaoyun＠shuhan．com',
    { name: '赵云', company: '成都蜀汉商贸有限公司', mobile: '13980123456', email: 'zhaoyun@shuhan.com' },
  ],
  [
    'a spaced name',
    '孙 悟 空\n客户经理\n花果山酒店管理有限公司',
    { name: '孙悟空', position: '客户经理', company: '花果山酒店管理有限公司' },
  ],
  [
    'a long surname',
    '欧阳娜娜\n设计师\n苏州园林设计院',
    { name: '欧阳娜娜', position: '设计师', company: '苏州园林设计院' },
  ],
  [
    'a name with a dot',
    '阿里木·买买提\n新疆天山果业有限公司 业务员\n13999123456',
    { name: '阿里木·买买提', company: '新疆天山果业有限公司', position: '业务员', mobile: '13999123456' },
  ],
  [
    'a courtesy title',
    '周女士 13712345678\n东莞市永盛五金厂',
    { company: '东莞市永盛五金厂', mobile: '13712345678' },
  ],
  [
    '先生 behind the name',
    '郑伟先生\n厦门海润贸易公司\n0592 5161234',
    { name: '郑伟', company: '厦门海润贸易公司', telephone: '0592-5161234' },
  ],
  [
    'how people sign a chat',
    '何经理 13544332211 佛山陶瓷厂',
    { name: '何经理', company: '佛山陶瓷厂', mobile: '13544332211' },
  ],
  [
    'several positions',
    '黄河\n董事长 / 总经理\n黄河建设集团有限公司',
    { name: '黄河', position: '董事长/总经理', company: '黄河建设集团有限公司' },
  ],
  [
    'department and position',
    '吴敏\n技术部 高级工程师\n武汉光谷信息技术股份有限公司',
    { name: '吴敏', department: '技术部', position: '高级工程师', company: '武汉光谷信息技术股份有限公司' },
  ],
  [
    'department by label',
    '联系人：马超\n部门：采购中心\n职务：采购主管\n单位：西凉重工集团',
    { name: '马超', department: '采购中心', position: '采购主管', company: '西凉重工集团' },
  ],
  [
    'an extension',
    '许静\n行政专员\n南京东方印刷厂\n电话：025-84567890转8012',
    { name: '许静', position: '行政专员', company: '南京东方印刷厂', telephone: '025-84567890-8012' },
  ],
  [
    'a fax beside the telephone',
    '电话：0571-88001234 传真：0571-88001235\n浙江西湖茶叶有限公司',
    { company: '浙江西湖茶叶有限公司', telephone: '0571-88001234', rest: '传真:0571-88001235' },
  ],
  [
    'letters as labels',
    'T: 021-54321234  M: 13601234567  F: 021-54321235\nE: a.b@sh-motor.cn\nW: sh-motor.cn',
    { telephone: '021-54321234', mobile: '13601234567', email: 'a.b@sh-motor.cn', website: 'sh-motor.cn' },
  ],
  [
    'a number of the country',
    '手机:+86 138 1111 2222\n电话:+86 21 6888 9999',
    { mobile: '13811112222', telephone: '021-68889999' },
  ],
  [
    'a zero in brackets',
    'Tel: +86 (0)755 8888 6666\nMobile: +86-13922223333',
    { telephone: '0755-88886666', mobile: '13922223333' },
  ],
  ['a service number', '海尔售后服务\n热线：400-820-8820', { telephone: '400-820-8820' }],
  ['a service number in pieces', '热线 4008 208 820', { telephone: '400-820-8820' }],
  [
    'two mobiles',
    '林峰\n13011112222 / 13133334444',
    { name: '林峰', mobile: '13011112222', rest: '13133334444' },
  ],
  [
    'a wechat',
    '微信：wxid_lilei88\n李雷\n15012345678',
    { name: '李雷', wechat: 'wxid_lilei88', mobile: '15012345678' },
  ],
  ['a wechat that is the mobile', '韩梅梅 手机/微信：15187654321', { name: '韩梅梅', mobile: '15187654321' }],
  [
    'an address without a label',
    '天津滨海新区第三大街51号W3楼\n天津泰达控股有限公司',
    { company: '天津泰达控股有限公司', address: '天津滨海新区第三大街51号W3楼' },
  ],
  [
    'an address with a bank in it',
    '上海市浦东新区银城中路200号中银大厦2001室\n中国银行股份有限公司',
    { company: '中国银行股份有限公司', address: '上海市浦东新区银城中路200号中银大厦2001室' },
  ],
  [
    'a postcode',
    '地址：山东省青岛市崂山区海尔路1号\n邮编：266101\n海尔智家股份有限公司',
    { company: '海尔智家股份有限公司', address: '山东省青岛市崂山区海尔路1号', rest: '邮编:266101' },
  ],
  [
    'a company that leaves out what it is',
    '曹操\n总监\n许都科技\n17712345678',
    { name: '曹操', position: '总监', company: '许都科技', mobile: '17712345678' },
  ],
  [
    'a hospital',
    '钱学森 主任医师\n北京协和医院 心内科',
    { name: '钱学森', position: '主任医师', company: '北京协和医院', department: '心内科' },
  ],
  ['a university', '冯友兰 教授\n清华大学', { name: '冯友兰', position: '教授', company: '清华大学' }],
  [
    'a law firm',
    '宋慈律师\n建阳大宋律师事务所\n0599-5881234',
    { position: '宋慈律师', company: '建阳大宋律师事务所', telephone: '0599-5881234' },
  ],
  [
    'a signature of a mail',
    '--\n谢谢！\n蒋欣\n大客户经理\n中通软件（苏州）有限公司\nM：18915551234\n苏州工业园区星湖街328号',
    {
      name: '蒋欣',
      position: '大客户经理',
      company: '中通软件(苏州)有限公司',
      mobile: '18915551234',
      address: '苏州工业园区星湖街328号',
    },
  ],
  [
    'marks before the lines',
    '● 姓名: 沈从文\n● 电话: 13574123456\n● 公司: 湖南凤凰旅游有限公司',
    { name: '沈从文', mobile: '13574123456', company: '湖南凤凰旅游有限公司' },
  ],
  [
    'a company and its person in one line',
    '重庆火锅食品有限公司 邓丽 销售经理 13996001234',
    { name: '邓丽', position: '销售经理', company: '重庆火锅食品有限公司', mobile: '13996001234' },
  ],
  [
    'an English card',
    'John Smith\nSales Manager\nAcme Technologies Inc.\n+1 (415) 555-0132\njohn.smith@acme.com\n500 Market Street, Suite 300, San Francisco\nwww.acme.com',
    {
      name: 'John Smith',
      position: 'Sales Manager',
      company: 'Acme Technologies Inc.',
      email: 'john.smith@acme.com',
      address: '500 Market Street, Suite 300, San Francisco',
      website: 'www.acme.com',
      rest: '+1 (415) 555-0132',
    },
  ],
  [
    'an English line with a comma',
    'Mary Johnson, Purchasing Director\nGlobal Trading Co., Ltd.\nMobile: +86 13500001111',
    {
      name: 'Mary Johnson',
      position: 'Purchasing Director',
      company: 'Global Trading Co., Ltd.',
      mobile: '13500001111',
    },
  ],
  [
    'an English dash',
    'Peter Müller - CEO\nMüller Maschinenbau GmbH\nTel. +49 89 1234567',
    { company: 'Müller Maschinenbau GmbH', position: 'CEO' },
  ],
  [
    'capitals',
    'WANG Xiaoming\nChief Engineer\nShanghai Heavy Industries Group\nxm.wang@shig.com.cn',
    {
      name: 'WANG Xiaoming',
      position: 'Chief Engineer',
      company: 'Shanghai Heavy Industries Group',
      email: 'xm.wang@shig.com.cn',
    },
  ],
  [
    'a title before the name',
    'Mr. David Brown\nVP Engineering\nNorthwind Ltd',
    { name: 'David Brown', position: 'VP Engineering', company: 'Northwind Ltd' },
  ],
  [
    'labels in English',
    'Name: Anna Lee\nTitle: Account Executive\nCompany: Blue Ocean Logistics Limited\nPhone: 0755-83001234\nEmail: anna@blueocean.com.hk\nAddress: Room 1802, Great Eagle Centre, Wan Chai',
    {
      name: 'Anna Lee',
      position: 'Account Executive',
      company: 'Blue Ocean Logistics Limited',
      telephone: '0755-83001234',
      email: 'anna@blueocean.com.hk',
      address: 'Room 1802, Great Eagle Centre, Wan Chai',
    },
  ],
  [
    'both languages',
    '谢娜 Nana Xie\n市场总监 Marketing Director\n长沙芒果文化传媒有限公司\nChangsha Mango Media Co., Ltd.\n13875001234',
    { name: '谢娜', position: '市场总监', company: '长沙芒果文化传媒有限公司', mobile: '13875001234' },
  ],
  [
    'an https address',
    '官网：https://www.example.com.cn/about?id=1\n示例信息技术有限公司',
    { company: '示例信息技术有限公司', website: 'https://www.example.com.cn/about?id=1' },
  ],
  ['a mail that is no website', '唐伟\ntw@tang-tools.com', { name: '唐伟', email: 'tw@tang-tools.com' }],
  [
    'a tax number',
    '税号：91440300MA5EXAMPLE\n深圳市新纪元医疗器械有限公司',
    { company: '深圳市新纪元医疗器械有限公司', rest: '税号:91440300MA5EXAMPLE' },
  ],
  [
    'a card in one line',
    '李强，区域经理，四川长虹电器股份有限公司，手机13990001234，邮箱liqiang@changhong.com',
    {
      name: '李强',
      position: '区域经理',
      company: '四川长虹电器股份有限公司',
      mobile: '13990001234',
      email: 'liqiang@changhong.com',
    },
  ],
  [
    'a branch of a bank',
    '中国建设银行深圳南山支行\n客户经理：范冰\n0755-26561234',
    { name: '范冰', position: '客户经理', company: '中国建设银行深圳南山支行', telephone: '0755-26561234' },
  ],
]

describe('a business card', () => {
  it.each(CARDS)('is parsed: %s', (_, text, wanted) => {
    const { rest, ...read } = readCard(text)
    const { rest: left, ...parts } = wanted
    const filled = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== ''))

    expect(filled).toEqual(parts)
    if (left !== undefined) expect(rest).toBe(left)
  })

  it.each([
    ['张 伟  销售总监', '张伟', '销售总监'],
    ['王 小 明 经理', '王小明', '经理'],
    ['上官 婉儿  经理', '上官婉儿', '经理'],
    ['欧阳 建国', '欧阳建国', ''],
    ['欧阳 建 国 经理', '欧阳建国', '经理'],
    ['姓名：欧阳 建国', '欧阳建国', ''],
    ['姓名：王 小明', '王小明', ''],
    ['姓名：张三 经理', '张三', '经理'],
    ['司马 相如 总经理', '司马相如', '总经理'],
    ['诸葛 亮', '诸葛亮', ''],
    ['张 伟 经 理', '张伟', '经理'],
    ['张 伟 总 经理', '张伟', '总经理'],
    ['王 小 明 经 理', '王小明', '经理'],
  ])('joins a spaced name: %s', (text, name, position) => {
    expect(readCard(text)).toMatchObject({ name, position, company: '', rest: '' })
  })

  it.each([
    ['王 经理', { position: '经理' }],
    ['欧阳 总监', { position: '总监' }],
    ['姓名：司马 主任', { position: '主任' }],
    ['东方 电气 集团', { company: '东方 电气 集团' }],
    ['金 龙 集团有限公司', { company: '金 龙 集团有限公司' }],
    ['诸葛 亮 蜀汉科技', { name: '诸葛亮', company: '蜀汉科技' }],
  ])('takes no title and no company into a name: %s', (text, wanted) => {
    expect(readCard(text)).toMatchObject(wanted)
  })

  it('keeps lines that it does not recognise', () => {
    const text = '郭靖\n桃花岛驻襄阳办事\n国家级高新技术企业\n13666666666'

    expect(readCard(text)).toMatchObject({ name: '郭靖', rest: '桃花岛驻襄阳办事\n国家级高新技术企业' })
  })

  it('is not recognised in other texts', () => {
    const said = readCard('明天下午三点开会，记得带合同。\n\n今天天气不错')

    expect({ ...said, rest: '' }).toEqual({ ...readCard(''), rest: '' })
  })

  it.each([
    ['digits', '1'.repeat(100_000)],
    ['blanks', ' '.repeat(100_000)],
    ['a mail without an end', `${'a.'.repeat(50_000)}@`],
    ['dots', `${'a-'.repeat(20_000)}${'.com'.repeat(20_000)}`],
    ['numbers with pauses', '0755- '.repeat(20_000)],
    ['labels', '电话 '.repeat(20_000)],
    ['letters of labels', 'T:M:F:E: '.repeat(10_000)],
    ['lines', '张三\n'.repeat(50_000)],
    ['brackets', `+${'(1)'.repeat(30_000)}`],
    ['names', '阿里木·'.repeat(30_000)],
  ])('with endless %s is parsed at once', (_, text) => {
    const begun = performance.now()
    const read = readCard(text)

    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(JSON.stringify(read).length).toBeLessThan(10_000)
  })
})
