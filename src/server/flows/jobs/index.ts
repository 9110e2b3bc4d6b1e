import type { Config } from '../../kernel/config/config.ts'
import { daily, every, type Job, type TenantJob, weekly } from '../../kernel/context/job.ts'
import { analyse } from '../../kernel/db/analyse.ts'
import { refreshPerformance } from '../../modules/contracts/totals.ts'
import { recycle } from '../pools/recycle.ts'
import { deleteExpiredResults } from '../work/result-file.ts'
import { cleanLogins, cleanUp } from './cleaning.ts'
import { convertFields } from './convert-fields.ts'
import { notifyOfStagnant, sendDayMessages } from './day-messages.ts'
import { planDay } from './day-plan.ts'
import { deletedFilesJob } from './deleted-files.ts'
import { emptyBins } from './empty-bins.ts'
import { expiredRowsJob } from './expired-rows.ts'
import { planNear, releaseHeld, remind } from './minute.ts'
import { fillOwnIndexes } from './own-index.ts'
import { notifyOfPoolNews } from './pool-news.ts'
import { rebuildStatDays } from './stat-days.ts'
import { unreferencedFilesJob } from './unreferenced-files.ts'
import { notifyOfWeekReport } from './week-report.ts'

const MINUTE_MS = 60_000

const DAY_PLAN: TenantJob = { name: 'day-plan', schedule: daily('08:30'), run: planDay }

/** All scheduled jobs, run by the clock of each tenant (DOMAIN 5), except those that depend on settings. */
export const JOBS: readonly Job[] = [
  { name: 'near', schedule: every(1), run: planNear },
  { name: 'remind', schedule: every(1), run: remind },
  { name: 'held', schedule: every(1), run: releaseHeld },
  { name: 'pool-news', schedule: every(60), run: notifyOfPoolNews },
  { name: 'results', schedule: every(60), run: deleteExpiredResults },
  { name: 'clean-up', schedule: daily('02:00'), run: cleanUp },
  { name: 'empty-bins', schedule: daily('02:00'), run: emptyBins },
  { name: 'performance', schedule: daily('00:05'), run: refreshPerformance },
  { name: 'stat-day', schedule: daily('03:00'), run: rebuildStatDays },
  DAY_PLAN,
  { name: 'day-messages', schedule: daily('09:00'), after: DAY_PLAN, run: sendDayMessages },
  { name: 'stagnant', schedule: weekly('09:00'), run: notifyOfStagnant },
  { name: 'week-report', schedule: weekly('09:00'), run: notifyOfWeekReport },
  { name: 'recycle', everyMs: 15 * MINUTE_MS, runAll: recycle },
  { name: 'convert-fields', everyMs: MINUTE_MS / 6, runAll: convertFields },
  { name: 'own-index', everyMs: MINUTE_MS / 2, runAll: fillOwnIndexes },
  { name: 'clean-logins', everyMs: 60 * MINUTE_MS, runAll: cleanLogins },
  { name: 'analyse', everyMs: 60 * MINUTE_MS, runAll: analyse },
]

/** All jobs of an installation. */
export const jobsOf = (
  config: Pick<Config, 'keeping' | 'dataDir' | 'databaseUrl' | 'storage'>,
): readonly Job[] => [
  ...JOBS,
  unreferencedFilesJob(config.keeping.uploads),
  deletedFilesJob(config),
  expiredRowsJob(config.keeping),
]
