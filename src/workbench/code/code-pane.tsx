import { useEffect, useRef } from 'react'
import { pathAt, printLike, rangeAt } from '../../../runtime/core/edit/edit-text.ts'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import { readJson } from '../../../runtime/core/edit/history.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import type { PageProblem } from '../../contract/pages.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { createBrokenTexts } from './broken-texts.ts'
import { createEditor, type Editor, type Mark } from './editor.ts'
import { pageJson } from './json-language.ts'
import { pageNames } from './page-names.ts'
import { stepsOf } from './steps-of.ts'
import { TypedBar } from './typed-bar.tsx'
import { typedAt } from './typed-texts.ts'

/** The whole page as text: valid JSON is drawn on the canvas at once, problems are marked where they are. */
export default function CodePane() {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const { text, document, selected } = useEditing()
  const problems = useBenchState((state) => state.problems)
  const advice = useBenchState((state) => state.advice)
  const path = useBenchState((state) => state.path)
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const typed = useBenchState((state) => state.typed)
  // Of what was typed, the page has only what is JSON.
  const unread = typedAt(typed, text).now?.text ?? null
  const shown = unread ?? text
  const start = useRef(shown)
  const broken = useRef(createBrokenTexts())
  const { drawn } = useCanvas()
  const page = useRef(drawn?.engine ?? null)
  page.current = drawn?.engine ?? null
  useEffect(() => {
    if (host.current === null) return
    const made = createEditor(host.current, start.current, {
      label: t('workbench.pane.code'),
      language: pageJson('page', () => pageNames(page.current)),
      onType: (now) => broken.current.typed(now, bench.retype(now)),
      steps: {
        undo() {
          const before = broken.current.undo()
          if (before === null) bench.undo()
          else if (before === '') bench.dropTyped()
          else bench.retype(before)
        },
        redo: bench.redo,
      },
      onPlace: (now, offset) => {
        const editing = bench.get().editing
        if (editing === null || now !== editing.text) return
        const key = keyAround(editing.document, pathAt(now, offset))
        if (key !== editing.selected) bench.select(key)
      },
    })
    editor.current = made
    return () => {
      made.close()
      editor.current = null
    }
  }, [bench])
  useEffect(() => {
    editor.current?.show(shown)
    // Text of an earlier visit: an undo leads back to the page.
    if (unread !== null) broken.current.found(unread)
  }, [shown, unread])
  useEffect(() => {
    const file = `schemas${path}.json`
    editor.current?.mark([
      ...problems.flatMap((problem) => marksOf(problem, 'error', text, file)),
      ...advice.flatMap((one) => marksOf(one, 'warning', text, file)),
    ])
  }, [problems, advice, text, path])
  useEffect(() => {
    const item = selected === null ? undefined : itemsOf(document).get(selected)
    if (item !== undefined) editor.current?.reveal(rangeAt(text, stepsOf(item.at)))
  }, [selected, document, text])
  const tidy = () => {
    // The content of the editor, which may not be valid JSON: nothing typed is lost.
    const now = readJson(editor.current?.text() ?? '')
    if (now === undefined) feedback.toast({ text: t('workbench.json.broken') })
    else bench.retype(printLike('', now))
  }
  return (
    <>
      <div className="wb-code-bar">
        <TypedBar />
        <button type="button" className="wb-act" onClick={tidy}>
          {t('workbench.code.tidy')}
        </button>
      </div>
      <div className="wb-code-pane" ref={host} />
    </>
  )
}

/** Problems of shared parts belong to another file. */
function marksOf(problem: PageProblem, severity: Mark['severity'], text: string, file: string): Mark[] {
  if (problem.file !== file && problem.file !== '') return []
  const { from, to } = rangeAt(text, stepsOf(problem.at))
  return [
    { from, to, severity, message: [problem.message, problem.hint].filter((one) => one !== '').join('\n') },
  ]
}

/** The innermost item around a position of the text. */
function keyAround(
  document: Parameters<typeof itemsOf>[0],
  path: readonly (string | number)[],
): string | null {
  const pointer = `/${path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}/`
  let key: string | null = null
  for (const item of itemsOf(document).values()) if (pointer.startsWith(`${item.at}/`)) key = item.key
  return key
}
