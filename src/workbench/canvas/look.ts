import { useEffect, useMemo, useState } from 'react'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import type { Calls, Role } from '../calls.ts'
import type { TextSize } from './large-text.ts'
import { type RecordChoice, recordPlace } from './records.ts'

/** The viewer and the record with which the page is drawn on the canvas. */
export interface Look {
  /** False while the available records are unknown. */
  readonly isReady: boolean
  /** Parameters of the page: missing ones have their defaults, or are absent. */
  readonly params: JsonObject
  /** Null: the person at the workbench. */
  readonly role: Role | null
  /** '': that of the page. */
  readonly language: string
  /** Requests of the page get generated answers. */
  readonly isSample: boolean
  readonly textSize: TextSize
}

/** The current view settings, and how to change them. */
export interface LookChoices extends Look {
  /** Parameters that the page declares. */
  readonly names: readonly string[]
  readonly typed: Readonly<Record<string, string>>
  readonly setParam: (name: string, value: string) => void
  /** The parameter that names a record; '' if the page shows none. */
  readonly recordParam: string
  /** True if the page can be opened without one, such as a form for new records. */
  readonly canBeNew: boolean
  /** The selected record; '' for none. */
  readonly recordId: string
  readonly records: readonly RecordChoice[]
  readonly roles: readonly Role[]
  readonly chooseRole: (id: string) => void
  /** Languages of the page's texts. */
  readonly languages: readonly string[]
  readonly chooseLanguage: (name: string) => void
  readonly chooseSample: (isSample: boolean) => void
  readonly chooseTextSize: (times: TextSize) => void
}

/** Settings with which a page is viewed. */
export function useLook(document: Json, calls: Calls): LookChoices {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [roles, setRoles] = useState<readonly Role[]>([])
  const [roleId, setRoleId] = useState('')
  const [language, setLanguage] = useState('')
  const [isSample, setSample] = useState(false)
  const [textSize, setTextSize] = useState<TextSize>(1)
  const place = useMemo(() => recordPlace(document), [document])
  const records = useRecords(place?.url ?? '', calls)
  useEffect(() => {
    // Users who may not see roles do not get the choice.
    void calls.roles().then((answer) => setRoles(answer.ok ? answer.value : []))
  }, [calls])
  const page = ownValue(ownValue(document, 'formConfig'), 'page')
  const printed = JSON.stringify(ownValue(page, 'params') ?? [])
  const recordParam = place?.param ?? ''
  const canBeNew = !declaredIn(printed).some((one) => one.name === recordParam && one.required === true)
  const first = canBeNew ? '' : (records?.[0]?.id ?? (isSample ? SAMPLE_ID : ''))
  const { names, params } = useMemo(() => {
    const declared = declaredIn(printed)
    const values = declared.flatMap(({ name, type, default: otherwise }): [string, Json][] => {
      const text = typed[name] ?? (name === recordParam ? first : '')
      if (text !== '') return [[name, readParam(text, type)]]
      return otherwise === undefined ? [] : [[name, otherwise]]
    })
    return { names: declared.map(({ name }) => name), params: Object.fromEntries(values) as JsonObject }
  }, [printed, typed, recordParam, first])
  const texts = ownValue(page, 'texts')
  return {
    isReady: recordParam === '' || canBeNew || isSample || records !== null,
    params,
    role: roles.find(({ id }) => id === roleId) ?? null,
    language,
    isSample,
    textSize,
    names,
    typed,
    setParam: (name, value) => setTyped((known) => ({ ...known, [name]: value.trim() })),
    recordParam,
    canBeNew,
    recordId: typed[recordParam] ?? first,
    records: records ?? [],
    roles,
    chooseRole: setRoleId,
    languages: isObject(texts) ? Object.keys(texts) : [],
    chooseLanguage: setLanguage,
    chooseSample: setSample,
    chooseTextSize: setTextSize,
  }
}

/** The id of a generated record. */
const SAMPLE_ID = '1'

/** Null while loading. */
function useRecords(url: string, calls: Calls): readonly RecordChoice[] | null {
  const [found, setFound] = useState<{ readonly url: string; readonly list: readonly RecordChoice[] } | null>(
    null,
  )
  useEffect(() => {
    if (url === '') return
    let isOver = false
    void calls.records(url).then((answer) => {
      if (!isOver) setFound({ url, list: answer.ok ? answer.value : [] })
    })
    return () => {
      isOver = true
    }
  }, [calls, url])
  return found?.url === url ? found.list : null
}

const declaredIn = (printed: string): (JsonObject & { readonly name: string })[] => {
  const written = JSON.parse(printed) as Json
  return (Array.isArray(written) ? written : []).filter(
    (one: Json): one is JsonObject & { readonly name: string } => typeof ownValue(one, 'name') === 'string',
  )
}

function readParam(text: string, type: Json | undefined): Json {
  if (type === 'Boolean') return text === 'true' || text === '1'
  return type === 'Number' && !Number.isNaN(Number(text)) ? Number(text) : text
}
