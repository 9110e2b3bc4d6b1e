import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { rangeAt } from '../../../runtime/core/edit/edit-text.ts'
import { readJson } from '../../../runtime/core/edit/history.ts'
import { formatPhrase } from '../../../runtime/core/errors.ts'
import { textOf } from '../../../runtime/react/page/options.ts'
import { PageVisible, useEngine, WindowScroll } from '../../../runtime/react/page/page-context.ts'
import type { ViewProps } from '../../../runtime/react/page/view.ts'
import { Back } from '../back.tsx'
import { createEditor, type Editor, type Mark } from '../code/editor.ts'
import { pageJson } from '../code/json-language.ts'
import { pageNames } from '../code/page-names.ts'
import { stepsOf } from '../code/steps-of.ts'
import { t } from '../context.ts'
import { packed } from './link.ts'
import { type Played, samplesIn, saveTyped, startToPlay } from './play.ts'
import '../workbench.css'
import './play.css'

/** Pause after which the page is redrawn. */
const REST_MS = 300

/** A playground: the text of a page, the drawn page and its events beside it, and a link for sharing. */
export function View({ state: { options, label }, body }: ViewProps) {
  const engine = useEngine()
  const { ports } = engine
  const samples = useMemo(() => samplesIn(options.samples), [options.samples])
  const [link, requestedPath, to] = [textOf(options.link), textOf(options.page), textOf(options.to)]
  const [path, setPath] = useState(requestedPath)
  const [isLink, setIsLink] = useState(link !== '')
  const [played, setPlayed] = useState<Played | null>(null)
  const [failure, setFailure] = useState('')
  const chosen = (samples.find((sample) => sample.path === path) ?? samples[0])?.path ?? ''
  useEffect(() => {
    let isOver = false
    void startToPlay({ link: isLink ? link : '', path: chosen }, ports).then((found) => {
      if (isOver) return
      setPlayed(found)
      setFailure(found === null ? t(isLink ? 'play.broken' : 'play.missing') : '')
    })
    return () => {
      isOver = true
    }
  }, [isLink, link, chosen, ports])
  const show = useCallback((text: string) => engine.setData(to, text), [engine, to])
  const typed = (text: string): void => {
    if (played === null) return
    const next = { ...played, text }
    setPlayed(next)
    void saveTyped(next, ports)
  }
  const inSight = useContext(PageVisible)
  if (!inSight) return null
  // Rendered outside the app: text and page are side by side, whatever layout the app uses in a wide window.
  return createPortal(
    <div className="wb">
      <header className="wb-top">
        <Back />
        <div className="wb-title">
          <h1>{label}</h1>
        </div>
        {played !== null && <Share text={played.text} />}
      </header>
      <div className="wb-play">
        <section aria-label={t('play.text')}>
          <div className="wb-play-tools wb-field">
            <label>
              {t('play.sample')}
              <select
                value={isLink ? '' : chosen}
                onChange={(event) => {
                  setIsLink(event.target.value === '')
                  setPath(event.target.value)
                }}
              >
                {link !== '' && <option value="">{t('play.link')}</option>}
                {samples.map((sample) => (
                  <option key={sample.path} value={sample.path}>
                    {sample.label}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              className="wb-button"
              disabled={played === null || played.text === played.original}
              onClick={() => played !== null && typed(played.original)}
            >
              {t('play.original')}
            </button>
          </div>
          {isLink && failure === '' && <p className="wb-note">{t('play.passed')}</p>}
          {failure !== '' && (
            <p className="wb-broken" role="alert">
              {failure}
            </p>
          )}
          {played !== null && <Text key={played.from} text={played.text} onType={typed} onShow={show} />}
        </section>
        <section aria-label={t('play.page')}>
          <div className="wb-screen">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys are to scroll it where nothing in it takes the focus */}
            <div className="wb-scroll" tabIndex={0}>
              <WindowScroll.Provider value={false}>{body}</WindowScroll.Provider>
            </div>
          </div>
        </section>
      </div>
    </div>,
    document.body,
  )
}

interface TextProps {
  readonly text: string
  readonly onType: (text: string) => void
  /** Called with valid input at a pause in typing. */
  readonly onShow: (text: string) => void
}

/** The text, with errors marked. */
function Text({ text, onType, onShow }: TextProps) {
  const { ports } = useEngine()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const start = useRef({ text, onType })
  start.current.onType = onType
  useEffect(() => {
    if (host.current === null) return
    const made = createEditor(host.current, start.current.text, {
      label: t('play.text'),
      language: pageJson('page', () => pageNames(null)),
      onType: (typed) => start.current.onType(typed),
    })
    editor.current = made
    return () => made.close()
  }, [])
  useEffect(() => {
    editor.current?.show(text)
    return ports.clock.after(REST_MS, () => {
      const document = readJson(text)
      if (document === undefined) return
      onShow(text)
      void ports.author?.().then(({ check, words }) =>
        editor.current?.mark(
          check(document).map(({ at, severity, said }): Mark => {
            const message = [said.message, said.hint]
              .map((one) => formatPhrase(one, words))
              .filter((one) => one !== '')
            return { ...rangeAt(text, stepsOf(at)), severity, message: message.join('\n') }
          }),
        ),
      )
    })
  }, [text, onShow, ports])
  return <div className="wb-play-text" ref={host} />
}

/** A link that opens the current text, for anybody. */
function Share({ text }: { readonly text: string }) {
  const { device, feedback } = useEngine().ports
  const [link, setLink] = useState('')
  const share = async () => {
    const code = await packed(text)
    if (code === null) return feedback.toast({ text: t('play.long') })
    const address = device.addressOf(`/pages/vform/playground?doc=${code}`)
    setLink(address)
    if (await device.copy(address)) feedback.toast({ text: t('play.copied'), icon: 'success' })
  }
  return (
    <>
      <button type="button" className="wb-button wb-primary" onClick={() => void share()}>
        {t('play.share')}
      </button>
      {link !== '' && (
        <input
          readOnly
          aria-label={t('play.address')}
          value={link}
          onFocus={(event) => event.target.select()}
        />
      )}
    </>
  )
}
