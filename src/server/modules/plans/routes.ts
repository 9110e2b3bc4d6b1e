import type { Resource } from '../../kernel/calls/resource.ts'
import { type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { lockContractsOf } from '../contracts/lock-contracts.ts'
import { PLAN_LIST, type PlanRow, planCard, planDetail, planOptions } from './plan.ts'
import { createPlan, generatePlans, removePlan, restorePlan, updatePlan } from './write-plan.ts'

const PLAN: RecordKind<PlanRow> = {
  name: 'plan',
  module: 'payment',
  list: (_, ctx) => describedList(PLAN_LIST, ctx),
  card: planCard,
  detail: planDetail,
  create: createPlan,
  update: updatePlan,
  remove: removePlan,
  restore: restorePlan,
  options: planOptions,
  prepare: lockContractsOf('payment_plan'),
  formPage: '/pages/contract/plan/add',
  isJudgedAsPosted: true,
}

/** /mini/plan/… (DOMAIN 8.3, 8.4); guarded by the rights on payments. */
export const planRoutes: Resource = (app, services) => {
  standardRoutes(app, services, PLAN)
  writer(app, services, 'plan')('/mini/plan/generate', 'payment:add', generatePlans)
}
