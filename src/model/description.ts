import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { FlowStep } from '../contract/approval.ts'

/** A text people read, or one per language: `{ "zh-Hans": "标题", "en": "Title" }`. */
export type Label = string | Readonly<Record<string, string>>

/** A value of a choice that is kept with its module instead of in a dictionary. */
interface Option {
  readonly value: string
  readonly label: Label
  readonly color?: string
}

/** JSON-Logic over the record: `{ "var": "amount" }` is its field `amount`. */
export type Rule = JsonObject

export type KindName =
  | 'text'
  | 'long-text'
  | 'phone'
  | 'email'
  | 'url'
  | 'number'
  | 'integer'
  | 'money'
  | 'percent'
  | 'day'
  | 'moment'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'ref'
  | 'refs'
  | 'user'
  | 'users'
  | 'dept'
  | 'region'
  | 'location'
  | 'texts'
  | 'files'
  | 'pictures'
  | 'auto-number'
  | 'formula'
  | 'rollup'
  | 'lines'

/** One field of a module, said once: every reader takes what it needs from here. */
export interface Field {
  readonly name: string
  readonly kind: KindName
  readonly label: Label
  /** True, or a rule: the record cannot be saved without it. */
  readonly required?: boolean | Rule
  /** The same value twice in a tenant, the recycle bin left out. */
  readonly unique?: 'refuse' | 'warn'
  /** A value, `now`, `me`, or `{ "rule": … }`; set where a new record says nothing. */
  readonly default?: Json
  readonly search?: boolean
  readonly filter?: boolean
  readonly sort?: boolean
  readonly card?: boolean
  /** May be set on many records at once. */
  readonly patch?: boolean
  /** Nobody writes it, or nobody once the record exists. */
  readonly readonly?: 'always' | 'created'
  /** Hidden in part while the record lies in a pool. */
  readonly mask?: 'pool'
  readonly help?: Label
  /** What people call it in files of their own, beside its label. */
  readonly import?: readonly string[]
  /** Since when it is there, for whoever writes to the interface: a version or a day. */
  readonly since?: string
  /** The field is kept and shown in old records, and offered nowhere. */
  readonly retired?: boolean

  readonly min?: number
  readonly max?: number
  readonly decimals?: number
  readonly pattern?: string
  readonly form?: 'mobile' | 'landline' | 'any'
  readonly most?: number
  readonly dict?: string
  readonly options?: readonly Option[]
  readonly module?: string
  readonly inverse?: { readonly tab: string; readonly label: Label }
  readonly formula?: Rule
  readonly result?: 'number' | 'text' | 'day' | 'flag'
  /** What the value follows from; worked out and stored whenever the record is written, so that lists ask and sums add by it. Nobody writes it. */
  readonly worked?: Rule
  readonly rollup?: {
    readonly module: string
    readonly by: string
    readonly of: 'count' | 'sum' | 'min' | 'max' | 'latest'
    readonly field?: string
  }
  readonly fields?: readonly Field[]
  /** The rows are products with price, discount and quantity, as a contract sells them; the field is called `lines` then. */
  readonly rows?: 'product'
  readonly number?: string
}

export interface Group {
  readonly name: string
  readonly label: Label
  readonly fields: readonly string[]
}

/** What records of a module can do beyond being written and listed. */
export const BEHAVIOURS = [
  'owned',
  'pool',
  'team',
  'follow',
  'history',
  'recycle',
  'files',
  'star',
  'tree',
  'approval',
  'versions',
  'convert',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** A module: what is recorded, and how it is shown. Written as `schemas/modules/<name>.json` or saved by a tenant. */
export interface ModuleDescription {
  readonly name: string
  readonly label: Label
  /** `record`: a module of the product that lives by its description alone, as a tenant's own do. */
  readonly store?: 'record'
  /** A name of the product's icons. */
  readonly icon?: string
  /** The field that names a record in lists, links and messages. */
  readonly title: string
  /** Pattern of the record's number: `GD{yyyyMMdd}{000}` counts from 001 each day. */
  readonly number?: string
  readonly behaviours: readonly Behaviour[]
  readonly fields: readonly Field[]
  /** Parts of form and detail, in order. A field that no group names stands at the end of the first. */
  readonly groups?: readonly Group[]
  readonly pages?: Readonly<Partial<Record<'list' | 'detail' | 'form', string>>>
  /** Whose rights count, where they are not its own: `plan` uses `payment`. */
  readonly permission?: string
  readonly tabs?: readonly string[]
  readonly defaultSort?: string
  readonly statuses?: { readonly field: string; readonly moves: Readonly<Record<string, readonly string[]>> }
  readonly menu?: { readonly place: 'work' | 'home' | 'none'; readonly order?: number }
  /** The field that says what a record is worth: approvals decide by it, prints write it in capitals. */
  readonly amount?: string
  /** Who signs its printed page: two parties with their stamps, or people of the tenant. Parties where it asks for a customer. */
  readonly print?: { readonly signs: 'parties' | 'internal' }
  /** The field (a day) that says how long a record holds: afterwards its card and its head say that it has lapsed. */
  readonly until?: string
  /** How its records are approved, where nobody in the tenant decided otherwise. */
  readonly approval?: {
    /** Records that go too far: these ask for the steps that say `below_min`, and never pass unseen. */
    readonly beyond?: Rule
    readonly steps: readonly FlowStep[]
    /** Fields that are still written while it waits and afterwards. */
    readonly open?: readonly string[]
  }
  /** What a record becomes: by module, its fields and those of this one that they begin with. Own fields go along by their names. */
  readonly convert?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The number of new records on the home page. */
  readonly tile?: { readonly label: Label }
}
