import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import type { StageWorld } from '../stage/ports.ts'

const CHOICES: Json = [
  { label: '高', value: 'high' },
  { label: '中', value: 'middle' },
  { label: '低', value: 'low', disabled: true },
]
const AREAS: Json = [
  { label: '浙江', value: 'zj', children: [{ label: '杭州', value: 'hz' }] },
  { label: '上海', value: 'sh' },
]
const TREE: Json = [
  { text: '销售部', value: 'sales' },
  { text: '华东区', value: 'east', parent_value: 'sales' },
  { text: '华南区', value: 'south', parent_value: 'sales' },
]
export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const inside = (
  type: string,
  name: string,
  children: readonly JsonObject[],
  options: JsonObject = {},
): JsonObject =>
  aWidget(type, name, options, { category: 'container', widgetList: children as readonly Json[] })

/** One of each field with its value. */
export const FIELDS: readonly (readonly [type: string, options: JsonObject, value: Json])[] = [
  ['input', { label: '客户名称', required: true, placeholder: '请输入' }, '杭州星海科技有限公司'],
  ['textarea', { label: '备注', maxLength: 200, showWordLimit: true }, '第一行\n第二行'],
  ['number', { label: '预计金额', unit: '元' }, 128000],
  ['stepper', { label: '数量', min: 0, max: 10 }, 3],
  ['radio', { label: '级别', optionItems: CHOICES }, 'high'],
  ['checkbox', { label: '兴趣', optionItems: CHOICES }, ['high', 'middle']],
  ['select', { label: '来源', optionItems: CHOICES }, 'middle'],
  ['cascader', { label: '地区', optionItems: AREAS }, ['zj', 'hz']],
  ['segmented-control', { label: '类型', optionItems: CHOICES }, 'middle'],
  ['data-picker', { label: '部门', optionItems: TREE, labelKey: 'text' }, 'east'],
  [
    'sortable-slots',
    {
      label: '菜单',
      slots: [{ key: 'common', title: '常用功能', min: 1, max: 3 }],
      candidates: {
        common: [
          { id: 1, title: '客户', icon: 'team' },
          { id: 2, title: '合同', icon: 'bill' },
          { id: 3, title: '产品', icon: 'shopbag' },
        ],
      },
      fixed: [{ slot: 'common', at: 'first', title: '首页', icon: 'app' }],
    },
    { common: [1, 2] },
  ],
  ['date', { label: '签约日期' }, '2024-05-06'],
  ['calendar', { label: '回访日' }, '2024-05-20'],
  ['datetime', { label: '下次跟进' }, '2024-05-06 10:30'],
  ['time', { label: '时间' }, '09:30'],
  ['date-range', { label: '有效期' }, ['2024-01-01', '2024-12-31']],
  ['time-range', { label: '营业时间', format: 'HH:mm' }, ['09:00', '18:00']],
  ['switch', { label: '设为重点' }, true],
  ['rate', { label: '满意度', allowHalf: true, showScore: true }, 3.5],
  ['slider', { label: '完成度' }, 40],
  ['picture-upload', { label: '现场照片' }, [{ name: '门店.png', url: PICTURE }]],
  ['file-upload', { label: '合同附件' }, [{ name: '合同.docx', url: '/files/1' }]],
  ['file-picker', { label: '名片', title: '名片' }, [{ name: '名片.png', url: PICTURE }]],
  ['reference', { label: '上级客户', nameField: 'parent_name' }, 'c1'],
]

const NAMES = new Map(FIELDS.map(([type]) => [type, type.replaceAll('-', '_')]))

/** A page with every widget of the catalogue. */
export function everyWidget(shared: JsonObject = {}): JsonObject {
  const fields = FIELDS.map(([type, options]) =>
    aWidget(type, NAMES.get(type) ?? type, { ...options, ...shared }),
  )
  return aDocument([
    aWidget('search-bar', 'keyword', { label: '', placeholder: '名称、拼音、手机后四位' }),
    aWidget('quick-tabs', 'quick', { label: '视图', optionItems: CHOICES }),
    aWidget('notice-bar', 'news1', {
      label: '',
      text: '本周五 18:00 系统升级，请提前保存',
      showIcon: true,
      showClose: true,
    }),
    aWidget('alert', 'alert1', { label: '', title: '客户将在 3 天后回收', type: 'warning', showIcon: true }),
    inside(
      'choice-matrix',
      'matrix1',
      ['客户', '线索'].map((label, at) =>
        inside(
          'cell-group',
          `rights${at}`,
          [aWidget('checkbox', `may${at}`, { label: '', optionItems: CHOICES })],
          {
            label,
            showFold: true,
          },
        ),
      ),
      { label: '权限' },
    ),
    inside('cell-group', 'group1', fields, { label: '基本信息', inset: true, customClass: 'one two' }),
    aWidget(
      'grid',
      'grid1',
      {},
      {
        category: 'container',
        cols: [
          inside('grid-col', 'col1', [aWidget('static-text', 'left', { textContent: '左' })], { span: 12 }),
          inside('grid-col', 'col2', [aWidget('static-text', 'right', { textContent: '右' })], { span: 12 }),
        ],
      },
    ),
    aWidget(
      'table',
      'table1',
      {},
      {
        category: 'container',
        rows: [
          {
            id: 'r',
            cols: [
              inside('table-cell', 'cell1', [aWidget('static-text', 'cell', { textContent: '单元格' })]),
            ],
          },
        ],
      },
    ),
    aWidget(
      'tab',
      'tab1',
      {},
      {
        category: 'container',
        displayType: 'line',
        tabs: [
          inside('tab-pane', 'pane1', [aWidget('static-text', 'first', { textContent: '第一页' })], {
            label: '跟进',
          }),
          inside('tab-pane', 'pane2', [aWidget('input', 'buried', { label: '藏着的' })], { label: '资料' }),
        ],
      },
    ),
    inside('collapse', 'collapse1', [
      inside('collapse-item', 'item1', [aWidget('static-text', 'folded', { textContent: '内容' })], {
        title: '更多信息',
      }),
    ]),
    aSubForm(
      'rows',
      [aWidget('input', 'product', { label: '产品' }), aWidget('number', 'price', { label: '单价' })],
      {
        label: '明细',
      },
    ),
    inside('line', 'line1', [
      aWidget('avatar', 'avatar1', { label: '', text: '王小明' }),
      aWidget('static-text', 'title', { textContent: '王小明', weight: 'bold', fontSize: 17 }),
      aWidget('tag', 'tag1', { label: '', text: '重点', tone: 'danger' }),
    ]),
    aWidget('static-text', 'text1', { textContent: '一段文字' }),
    aWidget('html-text', 'html1', {
      htmlContent: '<b>粗体</b><script>alert(1)</script><a href="https://example.com">链接</a>',
    }),
    aWidget('progress', 'progress1', { label: '本月目标', percent: 68, showInfo: true }),
    aWidget('steps', 'steps1', {
      label: '审批',
      active: 1,
      options: [{ title: '提交', desc: '李娜' }, { title: '主管审批', desc: '待处理' }, { title: '完成' }],
    }),
    aWidget('video', 'video1', { label: '产品介绍', src: '/none.mp4', title: '产品介绍' }),
    inside('swiper', 'swiper1', [
      aWidget('static-text', 'page1', { textContent: '第一屏' }),
      aWidget('static-text', 'page2', { textContent: '第二屏' }),
    ]),
    inside('swipe-action', 'swipe1', [aWidget('static-text', 'drawn', { textContent: '向左滑动' })], {
      rightOptions: [{ name: 'del', label: '删除', tone: 'danger' }],
    }),
    aWidget('divider', 'divider1', { label: '分隔' }),
    aWidget('image', 'image1', { label: '', src: PICTURE, alt: '一张图', width: 40, height: 40 }),
    aWidget('button', 'button1', { label: '保存', type: 'primary' }),
    aWidget('qr-code', 'code1', { label: '签到码', value: '/pages/activity/detail?id=1', size: 120 }),
    aWidget('slot', 'slot1'),
    aWidget('data-table', 'table1', {
      label: '回款',
      tableColumns: [
        { prop: 'no', label: '编号' },
        { prop: 'amount', label: '金额', filter: 'money' },
        { prop: 'secret', label: '秘密', show: false },
      ],
      tableData: [{ no: 'HK1', amount: 1200, secret: 1 }],
      showCheckBox: true,
      showButtonsColumn: true,
      operationButtons: [{ name: 'edit', label: '编辑' }],
    }),
    aWidget('descriptions', 'details', {
      label: '客户资料',
      items: [
        { label: '电话', bind: 'data.detail.phone', dial: true, copy: true },
        { label: '级别', bind: 'data.detail.level', dict: 'level' },
        { label: '地址', bind: 'data.detail.address' },
      ],
    }),
    aWidget('stat-grid', 'stats', {
      label: '本月业绩',
      items: [
        { name: 'a', label: '新增客户', bind: 'data.stats.customer', compare: true },
        { name: 'b', label: '合同金额', bind: 'data.stats.amount', filter: 'money', unit: '元' },
      ],
    }),
    aWidget('chart', 'trend', {
      label: '近三个月',
      kind: 'bar',
      labels: ['3月', '4月', '5月'],
      series: [
        { name: '合同', bind: 'data.trend.signed', filter: 'money' },
        { name: '回款', bind: 'data.trend.paid', filter: 'money' },
      ],
    }),
    aWidget('menu-grid', 'settings', {
      label: '',
      layout: 'rows',
      items: [{ title: '个人信息', icon: 'user', path: '/pages/my/setting/edit', note: '王小明', badge: 2 }],
    }),
    aWidget('menu-grid', 'menu', {
      label: '常用功能',
      items: [
        { title: '我的客户', icon: 'team', path: '/pages/customer/my/index', badge: 3 },
        { title: '新建线索', icon: 'user-add', path: '/pages/lead/add' },
        { title: '写跟进', icon: 'edit', path: '/pages/follow/add' },
        { title: '合同', icon: 'bill', path: '/pages/contract/index' },
      ],
    }),
    aWidget('stage-bar', 'stages', { label: '阶段', optionItems: CHOICES, value: 'middle' }),
    inside('timeline', 'log', [], { label: '', bind: 'data.log' }),
    inside(
      'list',
      'cards',
      [aWidget('static-text', 'card_name', { textContent: '{{ row.name }}', weight: 'bold' })],
      {
        label: '',
        bind: 'data.cards',
      },
    ),
    inside('board', 'board1', [aWidget('static-text', 'board_name', { textContent: '{{ row.name }}' })], {
      label: '看板',
      bind: 'data.board',
      columnSum: '{{ row.amount }}',
      moreText: '查看全部',
      empty: '拖到这里',
    }),
    inside('agenda', 'agenda1', [], {
      label: '日程',
      bind: 'data.agenda',
      today: '2024-05-06',
      kinds: [{ value: 'follow', label: '跟进' }],
      empty: '这一天没有安排',
    }),
    aWidget('side-tree', 'tree1', { label: '部门', itemsBind: 'data.tree', allText: '全部' }),
    aWidget('empty', 'empty1', { label: '', text: '没有更多内容', action: '新建客户' }),
    aWidget('vform-preview', 'preview1', { label: '表单' }),
    aWidget('hologram', 'unknown1', { label: '全息图' }),
    aWidget('broken', 'broken1'),
    inside('action-bar', 'bar', [
      aWidget('button', 'call', { label: '打电话', type: 'text', icon: 'phone' }),
      aWidget('button', 'follow', { label: '写跟进', type: 'primary' }),
    ]),
    aWidget('fab', 'fab1', { label: '新建' }),
    inside('popup', 'popup1', [aWidget('static-text', 'in_popup', { textContent: '弹层' })], {
      label: '提示',
    }),
    inside('dialog', 'dialog1', [aWidget('static-text', 'in_dialog', { textContent: '对话框' })], {
      title: '补充资料',
    }),
    inside('drawer', 'drawer1', [aWidget('static-text', 'in_drawer', { textContent: '抽屉' })], {
      title: '更多条件',
    }),
    inside('sheet', 'sheet1', [aWidget('static-text', 'in_sheet', { textContent: '面板' })], {
      label: '筛选',
    }),
  ])
}

/** The data that the page of every widget reads. */
export const WORLD: StageWorld = {
  values: {
    ...Object.fromEntries(FIELDS.map(([type, , value]) => [NAMES.get(type) ?? type, value])),
    rows: [{ product: 'CRM 专业版', price: 9800 }],
  },
  dict: { level: [{ label: 'A 级', value: 'a', color: 'danger' }] },
  data: {
    detail: { phone: '13800138000', level: 'a' },
    trend: { signed: [120000, 90000, 310000], paid: [80000, 100000, 60000] },
    counts: { high: 7 },
    stats: { customer: [0, 36, 30], amount: [0, 1280000, 900000] },
    cards: [
      { id: '1', name: '杭州星海科技' },
      { id: '2', name: '上海云帆贸易' },
    ],
    board: [
      {
        id: 'a',
        label: '初步接洽',
        amount: 1200,
        count: 2,
        nextCursor: 'b',
        list: [{ id: '1', name: '云帆年度采购' }],
      },
      { id: 'b', label: '方案报价', amount: 0, count: 0, list: [] },
    ],
    agenda: [
      { id: '1', kind: 'follow', day: '2024-05-06', time: '10:30', title: '跟进云帆', note: '', done: false },
    ],
    tree: [{ id: 'a', name: '总经办', children: [{ id: 'b', name: '销售一部' }] }],
    log: [
      {
        id: '1',
        user_name: '李娜',
        title: '电话跟进',
        content: '客户确认下周二上门演示，需要准备报价单。',
        created_at: '2024-05-06 10:30:00',
        images: [{ name: 'a', url: PICTURE }],
        avatar: PICTURE,
      },
      { id: '2', title: '系统将客户分配给李娜', created_at: '2024-05-05 09:00:00', system: true },
    ],
  },
}
