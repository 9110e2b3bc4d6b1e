/** A card of the opportunity list and of the board (DOMAIN 1.5, 1.15). */
export interface BussinessCard {
  readonly id: string
  readonly name: string
  readonly customer_id: string
  readonly customer_name: string | null
  /** Yuan; null where it is not shown. */
  readonly amount: number | null
  readonly weighted: number | null
  readonly flow_id: string
  readonly stage_id: string
  readonly win_rate: number
  readonly status: BussinessStatus
  /** `yyyy-MM-dd`. */
  readonly expected_date: string
  /** Open and past its expected date. */
  readonly overdue: boolean
  /** Whole days since it came to its stage. */
  readonly stage_days: number
  readonly type: string | null
  readonly last_follow_at: string | null
  readonly next_follow_at: string | null
  readonly left_days: number | null
  readonly owner_id: string | null
  readonly owner_name: string | null
  readonly created_at: string
  readonly starred: boolean
  readonly actions: readonly BussinessAction[]
}

/** 进行中, 赢单, 输单, 无效. */
type BussinessStatus = 1 | 2 | 3 | 4

type BussinessAction =
  | 'follow'
  | 'edit'
  | 'stage'
  | 'win'
  | 'lose'
  | 'invalid'
  | 'reopen'
  | 'contract_add'
  | 'transfer'
  | 'release'
  | 'team'
  | 'delete'
  | 'star'
  | 'claim'
  | 'assign'
  | 'move'

/** GET /mini/bussiness/flow/list. */
export interface BussinessFlow {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  /** May go back to an earlier stage, with a reason. */
  readonly allowBack: boolean
  readonly stages: readonly BussinessStage[]
  /** won, lost, invalid; `required` is asked for before it is reached. */
  readonly ends: readonly BussinessStage[]
}
export interface BussinessStage {
  readonly id: string
  readonly name: string
  readonly color: string
  /** Percent. */
  readonly winRate: number
  /** Fields that must hold something before it is left forward. */
  readonly required: readonly string[]
  /** Nothing goes there any more; what is in it stays until it moves on. */
  readonly retired: boolean
}

/** One column of POST /mini/bussiness/board. */
export interface BoardColumn {
  readonly stage: BussinessStage
  readonly count: number
  /** Null, like `weighted`, for who does not see the amount of a single opportunity. */
  readonly amount: number | null
  readonly weighted: number | null
  readonly list: readonly BussinessCard[]
  readonly nextCursor: string | null
}

/** POST /mini/bussiness/forecast: what open opportunities promise, month by month, none left out. */
export interface BussinessForecast {
  readonly list: readonly ForecastMonth[]
  readonly count: number
  /** Null, like all sums, for who does not see the amount of a single opportunity. */
  readonly amount: number | null
  readonly weighted: number | null
}
/** Open opportunities that are expected in a span: what was due before this month, six months, and all behind them. */
export interface ForecastMonth {
  readonly key: string
  readonly label: string
  /** First and last day; null where it has none. */
  readonly from: string | null
  readonly until: string | null
  readonly count: number
  readonly amount: number | null
  /** Each amount times its win rate. */
  readonly weighted: number | null
}

/** A step of an opportunity's life. */
export interface StageStep {
  readonly from: string | null
  readonly to: string
  readonly by: string
  readonly at: string
  /** Whole days spent in `from`. */
  readonly days: number
  readonly remark: string | null
}
