import { cleanUp } from './cleaning.ts'
import { tellDay, tellStagnant } from './day-messages.ts'
import { planDay } from './day-plan.ts'
import { daily, every, type Job, weekly } from './job.ts'
import { planNear, releaseHeld, remind } from './minute.ts'
import { tellPoolNews } from './pool-news.ts'

/** Everything the server does by itself, by the clocks of each tenant (CRM 5). */
export const JOBS: readonly Job[] = [
  { name: 'near', schedule: every(1), run: planNear },
  { name: 'remind', schedule: every(1), run: remind },
  { name: 'held', schedule: every(1), run: releaseHeld },
  { name: 'pool-news', schedule: every(60), run: tellPoolNews },
  { name: 'clean-up', schedule: daily('02:00'), run: cleanUp },
  { name: 'day-plan', schedule: daily('08:30'), run: planDay },
  { name: 'day-messages', schedule: daily('09:00'), run: tellDay },
  { name: 'stagnant', schedule: weekly('09:00'), run: tellStagnant },
]
