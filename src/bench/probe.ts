import {
  type BenchForm,
  type BenchPage,
  benchForm,
  type FormKind,
  linkedValue,
  REQUIRED,
  type Variant,
} from './forms.ts'

/** The effect that is awaited after each key. */
export type Goal = 'type' | 'show' | 'hide' | 'link'

/** Milliseconds until the end of the first frame painted with the result, and the cost of detecting it. */
export interface Sample {
  readonly ms: number
  readonly checks: number
}

/** The measuring side of a page. All timing runs here, all results are read from the document. */
interface Probe {
  prepare(kind: FormKind, size: number, variant: Variant): Promise<void>
  mount(): Promise<Sample>
  /** The number of elements once nothing changes any more. */
  settle(): Promise<number>
  validate(): Promise<Sample>
  /** Scrolls to the last field. */
  reach(): Promise<Sample>
  /** Focuses the field for typing; from then on each key gives a sample. */
  watch(goal: Goal): Promise<void>
  /** The samples since {@link watch}, once the requested number is reached. */
  samples(count: number): Promise<readonly Sample[]>
  /** The value of the field on the screen and in the model. */
  landed(): readonly [shown: string, held: string]
}

declare global {
  interface Window {
    probe: Probe
  }
}

const LIMIT_MS = 30_000
const TEXT_BOX = 'input:not([type=checkbox]):not([type=radio]), textarea'

/** Makes a page measurable. */
export function openProbe(page: BenchPage): void {
  let form: BenchForm = benchForm('S', 1)
  let changed = true
  let changedAt = 0
  let listener: ((event: KeyboardEvent) => void) | null = null
  let taken: Promise<Sample>[] = []
  new MutationObserver(() => {
    changed = true
    changedAt = performance.now()
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })

  /** The end of the first frame painted with what `ok` detects: a change after the frame began is painted by the next one. */
  async function until(ok: () => boolean, from = performance.now()): Promise<Sample> {
    changed = true
    let checks = 0
    for (let seen = false; ; ) {
      await frame()
      const began = performance.now()
      await painted()
      const now = performance.now()
      if (seen && changedAt <= began) return { ms: now - from, checks }
      if (changed || seen) {
        changed = false
        seen = ok()
        checks += performance.now() - now
        if (seen && changedAt <= began) return { ms: now - from, checks }
      }
      if (now - from > LIMIT_MS) throw new Error('not in time')
    }
  }

  const wanted = (): readonly string[] =>
    form.fields.filter(({ visibleIf }) => visibleIf === undefined).map(({ label }) => label)
  function isMounted(): boolean {
    if (form.kind === 'T') {
      const first = boxes().filter(({ value }) => /^[甲乙]\d+$/.test(value))
      return page.reveal ? first.length > 2 && isBelow(first.at(-1)) : first.length === form.rows.length * 2
    }
    const shown = labelsShown(new Set(wanted()))
    if (!page.reveal) return shown.size === wanted().length
    const gap = wanted().findIndex((label) => !shown.has(label))
    return gap < 0 || (gap > 0 && isBelow(shown.get(wanted()[gap - 1] ?? '')))
  }
  const middle = (): number | undefined => (form.kind === 'T' ? (form.rows.length - 1) >> 1 : undefined)
  function boxOf(label: string): HTMLInputElement | undefined {
    const start = labelsShown(new Set([label])).get(label)
    for (let at: Element | null | undefined = start; at && at !== document.body; at = at.parentElement) {
      const box = at.querySelector<HTMLInputElement>(TEXT_BOX)
      if (box) return box
    }
    return undefined
  }
  const typedBox = (): HTMLInputElement | undefined =>
    form.kind === 'T'
      ? boxes().find(({ value }) => value.startsWith(`甲${(middle() ?? 0) + 1}`) && value.length >= 2)
      : boxOf(form.typeIn.label)
  function goalOf(goal: Goal, box: HTMLInputElement, before: string): () => boolean {
    if (goal === 'show' || goal === 'hide') {
      const label = form.shows?.label ?? ''
      return () => (labelsShown(new Set([label])).size === 1) === (goal === 'show')
    }
    const longer = () => box.value.length > before.length
    if (goal === 'type') return longer
    return () =>
      longer() &&
      form.targets.every((target) => {
        const value = String(linkedValue(box.value, target))
        return String(page.value(target.name)) === value && (boxOf(target.label)?.value ?? value) === value
      })
  }

  window.probe = {
    async prepare(kind, size, variant) {
      form = benchForm(kind, size)
      page.prepare(form, variant)
      const warm = document.body.appendChild(document.createElement('p'))
      warm.textContent = '手机号数量类别启用日期备注请选择此项必填0123' // the first Chinese text loads fonts
      await frame()
      await painted()
      warm.remove()
      await pause(150)
    },
    async mount() {
      await pause(0)
      const root = document.getElementById('root') ?? document.body
      const from = performance.now()
      void page.mount(root)
      return until(isMounted, from)
    },
    async settle() {
      do await pause(200)
      while (performance.now() - changedAt < 150)
      if (!isMounted()) throw new Error('the form is not complete')
      return document.getElementsByTagName('*').length
    },
    async validate() {
      const asked = form.fields.filter(({ required }) => required === true).map(({ label }) => label)
      const from = performance.now()
      const count = Promise.resolve(page.validate())
      const shown = () => (page.reveal ? labelsShown(new Set(asked)).size : asked.length)
      const sample = await until(() => messages() === shown(), from)
      if ((await count) !== asked.length) throw new Error(`${await count} faults instead of ${asked.length}`)
      return sample
    },
    async reach() {
      const last = form.kind === 'T' ? '' : (wanted().at(-1) ?? '')
      const box = () =>
        form.kind === 'T'
          ? boxes().find(({ value }) => value === `甲${form.rows.length}`)
          : labelsShown(new Set([last])).get(last)
      const name = form.fields.find(({ label }) => label === last)?.name ?? form.typeIn.name
      const from = performance.now()
      if (page.reveal) await page.reveal(name, form.kind === 'T' ? form.rows.length - 1 : undefined)
      else box()?.scrollIntoView()
      return until(() => isOnScreen(box()), from)
    },
    async watch(goal) {
      if (page.reveal) await page.reveal(form.typeIn.name, middle())
      await pause(50)
      const box = typedBox()
      if (!box) throw new Error('the field is not there')
      box.focus()
      taken = []
      if (listener) removeEventListener('keydown', listener, true)
      listener = () => void taken.push(until(goalOf(goal, box, box.value)))
      addEventListener('keydown', listener, true)
    },
    async samples(count) {
      const end = performance.now() + LIMIT_MS
      while (taken.length < count && performance.now() < end) await pause(5)
      return Promise.all(taken)
    },
    landed: () => [
      (document.activeElement as HTMLInputElement | null)?.value ?? '',
      String(page.value(form.typeIn.name, middle())),
    ],
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
/** A message posted in a frame is received after that frame's style, layout and paint. */
const painted = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(0)
  })

function* texts(): Generator<Text> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) yield walker.currentNode as Text
}

/** Elements whose visible text is one of these labels. */
function labelsShown(labels: ReadonlySet<string>): Map<string, Element> {
  const found = new Map<string, Element>()
  for (const { data, parentElement } of texts()) {
    const label = data.replace(/[\s*]+$/, '')
    if (labels.has(label) && parentElement?.checkVisibility()) found.set(label, parentElement)
  }
  return found
}

function messages(): number {
  let count = 0
  for (const { data, parentElement } of texts())
    if (data === REQUIRED && parentElement?.checkVisibility()) count += 1
  return count
}

const boxes = (): readonly HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>(TEXT_BOX)]

const isBelow = (element: Element | undefined): boolean =>
  element !== undefined && element.getBoundingClientRect().bottom >= innerHeight

function isOnScreen(element: Element | undefined): boolean {
  const box = element?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}
