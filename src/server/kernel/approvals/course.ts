/** One step of a running submission: who is asked, and who has agreed. */
export interface Step {
  readonly name: string
  /** `all`: everybody must agree; `any`: the first decision counts. */
  readonly mode: 'all' | 'any'
  readonly people: readonly string[]
  readonly approved: readonly string[]
  /** Added by an approver (加签). */
  readonly added?: boolean
}

/** The progress of a submission through its steps; after the last one it is approved. */
export interface Course {
  readonly steps: readonly Step[]
  /** The step that is being decided, from 0; the number of steps once all are done. */
  readonly at: number
}

/** Who may decide now; empty once it is finished. */
export function currentApprovers({ steps, at }: Course): readonly string[] {
  const step = steps[at]
  return step === undefined ? [] : step.people.filter((person) => !step.approved.includes(person))
}

/** True when every step has agreed. */
export function isDone({ steps, at }: Course): boolean {
  return at >= steps.length
}

/** `person`, who is being waited for, agrees; the step ends if that completes it. */
export function approveStep(course: Course, person: string): Course {
  const steps = change(course, (step) => ({ ...step, approved: [...step.approved, person] }))
  const step = steps[course.at]
  const isOver =
    step !== undefined && (step.mode === 'any' || step.people.every((it) => step.approved.includes(it)))
  return isOver ? passDecided({ steps, at: course.at + 1 }) : { steps, at: course.at }
}

/**
 * As in a submission, somebody who decided a step alone is not asked again: a later step that asks only them counts as decided by them too. A signer
 * who was added is always asked; an added signer who decides the next step as well decides both at once.
 */
function passDecided(course: Course): Course {
  const { steps, at } = course
  const only = soleApprover(steps[at])
  const before = steps.slice(0, at).filter((step, index) => step.added !== true || index === at - 1)
  const isDecided = steps[at]?.added !== true && before.some((step) => soleApprover(step) === only)
  if (only === null || !isDecided) return course
  return passDecided({ steps: change(course, (step) => ({ ...step, approved: [only] })), at: at + 1 })
}

function soleApprover(step: Step | undefined): string | null {
  const [only, ...others] = step?.people ?? []
  return others.length > 0 ? null : (only ?? null)
}

/** `to` takes the place of `from` in the current step (转审). */
export function handOver(course: Course, from: string, to: string): Course {
  const replace = (step: Step) => ({ ...step, people: step.people.map((it) => (it === from ? to : it)) })
  return { ...course, steps: change(course, replace) }
}

/** `to` is asked in a separate step (加签): after the current one, or before it, in which case the current step begins again once they have agreed. */
export function addSigner(course: Course, to: string, name: string, place: 'before' | 'after'): Course {
  const step: Step = { name, mode: 'all', people: [to], approved: [], added: true }
  const next = place === 'before' ? course.at : course.at + 1
  return { ...course, steps: [...course.steps.slice(0, next), step, ...course.steps.slice(next)] }
}

/**
 * `from` is not asked any more: the first of `candidates` replaces them, or decides for both if already asked.
 *
 * @param candidates  people who may decide, best first
 * @returns null if none of them can stand in, because all have decided already or there are none
 */
export function replaceApprover(step: Step, from: string, candidates: readonly string[]): Step | null {
  const to = candidates.find((candidate) => candidate !== from && !step.approved.includes(candidate))
  if (to === undefined) return null
  const people = step.people.map((it) => (it === from ? to : it))
  return { ...step, people: [...new Set(people)] }
}

/** True when `person` is asked in a step and has not agreed. */
export function isApprover({ people, approved }: Step, person: string): boolean {
  return people.includes(person) && !approved.includes(person)
}

/** True while the submitter may withdraw it: nobody after the first step of the flow has agreed. */
export function isWithdrawable({ steps, at }: Course): boolean {
  const first = steps.findIndex(({ added }) => added !== true)
  return at < steps.length && steps.slice(first + 1).every((step) => step.approved.length === 0)
}

function change({ steps, at }: Course, work: (step: Step) => Step): readonly Step[] {
  return steps.map((step, index) => (index === at ? work(step) : step))
}
