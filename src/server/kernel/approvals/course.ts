/** One step of a submission on its way: who is asked, and who has agreed. */
export interface Step {
  readonly name: string
  /** `all`: everybody must agree; `any`: the first one decides. */
  readonly mode: 'all' | 'any'
  readonly people: readonly string[]
  readonly approved: readonly string[]
  /** Put in by an approver (加签). */
  readonly added?: boolean
}

/** A submission on its way through its steps; at the end of them it is approved. */
export interface Course {
  readonly steps: readonly Step[]
  /** The step that is being decided, from 0; the number of steps once all are done. */
  readonly at: number
}

/** Who may decide now; nobody once it is done. */
export function waitingFor({ steps, at }: Course): readonly string[] {
  const step = steps[at]
  return step === undefined ? [] : step.people.filter((person) => !step.approved.includes(person))
}

/** True when every step has agreed. */
export function isDone({ steps, at }: Course): boolean {
  return at >= steps.length
}

/** `person`, who is waited for, agrees; the step is over when that is enough for it. */
export function agree(course: Course, person: string): Course {
  const steps = change(course, (step) => ({ ...step, approved: [...step.approved, person] }))
  const step = steps[course.at]
  const isOver =
    step !== undefined && (step.mode === 'any' || step.people.every((it) => step.approved.includes(it)))
  return { steps, at: isOver ? course.at + 1 : course.at }
}

/** `to` takes the place of `from` in the current step (转审). */
export function handOver(course: Course, from: string, to: string): Course {
  const replace = (step: Step) => ({ ...step, people: step.people.map((it) => (it === from ? to : it)) })
  return { ...course, steps: change(course, replace) }
}

/** `to` is asked in a step of their own (加签): after the current one, or before it, which then begins again once they agreed. */
export function addSigner(course: Course, to: string, name: string, place: 'before' | 'after'): Course {
  const step: Step = { name, mode: 'all', people: [to], approved: [], added: true }
  const next = place === 'before' ? course.at : course.at + 1
  return { ...course, steps: [...course.steps.slice(0, next), step, ...course.steps.slice(next)] }
}

/**
 * `from` is not asked any more: the first of `candidates` takes their place, or decides for both where they are asked anyway.
 *
 * @param candidates  people who may decide, best first
 * @returns null when none of them can stand in, because all have decided already or there are none
 */
export function relieve(step: Step, from: string, candidates: readonly string[]): Step | null {
  const to = candidates.find((it) => it !== from && !step.approved.includes(it))
  if (to === undefined) return null
  const people = step.people.map((it) => (it === from ? to : it))
  return { ...step, people: [...new Set(people)] }
}

/** True when `person` is asked in a step and has not agreed. */
export function isAsked({ people, approved }: Step, person: string): boolean {
  return people.includes(person) && !approved.includes(person)
}

/** True while the submitter may take it back: nobody behind the first step of the flow has agreed. */
export function isWithdrawable({ steps, at }: Course): boolean {
  const first = steps.findIndex(({ added }) => added !== true)
  return at < steps.length && steps.slice(first + 1).every((step) => step.approved.length === 0)
}

function change({ steps, at }: Course, work: (step: Step) => Step): readonly Step[] {
  return steps.map((step, index) => (index === at ? work(step) : step))
}
