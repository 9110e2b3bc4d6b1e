import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Step } from './stack-model.ts'

const ACTIONS = {
  navigateTo: 'navigate',
  redirectTo: 'redirect',
  reLaunch: 'relaunch',
  switchTab: 'switchTab',
} as const

/** Documents that replace real pages: one button per action and address. `keeper` does not let the user go back. */
export async function writeWalkPages(
  documents: Readonly<Record<string, string>>,
  urls: readonly string[],
  keeper: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-walk-'))
  for (const [path, document] of Object.entries(documents)) {
    const file = join(folder, `${document.slice(1)}.json`)
    await mkdir(dirname(file), { recursive: true })
    const page = { title: path, draft: false }
    const formConfig = {
      layoutType: 'H5',
      jsonVersion: -3,
      page,
      ...(path === keeper ? { onBackPress: 'return true' } : {}),
    }
    await writeFile(file, JSON.stringify({ formConfig, widgetList: buttons(urls) }))
  }
  return folder
}

/** The name of the button for this step. */
export function labelOf(step: Exclude<Step, { act: 'type' | 'browser' | 'reload' }>): string {
  return step.act === 'back' ? `back ${step.delta}` : `${step.act} ${step.url}`
}

function buttons(urls: readonly string[]) {
  const moves = Object.entries(ACTIONS).flatMap(([act, action]) =>
    urls.map((url) => ({ label: `${act} ${url}`, actions: [{ do: action, url }] })),
  )
  const backs = [1, 2, 3].map((delta) => ({ label: `back ${delta}`, actions: [{ do: 'back', delta }] }))
  return [...moves, ...backs].map(({ label, actions }, at) => ({
    type: 'button',
    options: { name: `b${at}`, label, displayStyle: 'block', on: { click: actions } },
  }))
}
