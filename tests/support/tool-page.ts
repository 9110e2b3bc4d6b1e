import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** An open demo route whose document {@link writeToolPage} replaces. */
export const TOOLS = '/pages/vform/template/index'
/** Documents of the page, by the names of their buttons; the test defines what the addresses answer. */
export const FILES = {
  'good.pdf': '/files/good',
  'gone.pdf': '/files/gone',
  'empty.pdf': '/files/empty',
} as const
/** Two of them have the same name. */
export const CHOICES = ['甲', '乙', '乙', '丁', '戊', '己', '庚', '辛', '壬', '癸', '子', '丑', '寅'] as const

const say = (text: string) => ({ do: 'toast', text })
const wait = (ms: number) => ({ do: 'wait', ms })
const BUTTONS = {
  two: [say('第一条'), wait(1_000), say('第二条')],
  ask: [{ do: 'confirm', title: '标题', content: '内容', then: [say('已确定')], else: [say('已取消')] }],
  choose: [
    { do: 'choose', items: CHOICES.map((label, at) => ({ label, then: [say(`选了第 ${at + 1} 个`)] })) },
  ],
} as const

/** Adds a page to a folder of schemas whose buttons show everything the shell shows above pages, and open documents. */
export async function writeToolPage(folder: string): Promise<void> {
  const file = join(folder, `${TOOLS.slice(1)}.json`)
  const buttons = Object.entries(BUTTONS).map(([name, click]) => button(name, { on: { click } }))
  const files = Object.entries(FILES).map(([name, url]) => ({ name, url }))
  const document = {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: { title: '工具', needLogin: false, draft: false },
    },
    widgetList: [
      ...buttons,
      button('must', { onClick: "this.$alert('必须确定')" }),
      button('open', { on: { click: [{ do: 'openSheet', name: 'low' }] } }),
      {
        type: 'sheet',
        category: 'container',
        options: { name: 'low', label: '面板' },
        widgetList: [
          {
            type: 'date',
            formItemFlag: true,
            options: { name: 'day', label: '日期', placeholder: '选日期' },
          },
        ],
      },
      {
        type: 'file-upload',
        formItemFlag: true,
        options: { name: 'files', label: '文件', defaultValue: files },
      },
    ],
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(document))
}

function button(name: string, options: object) {
  return { type: 'button', options: { name, label: name, displayStyle: 'block', ...options } }
}
