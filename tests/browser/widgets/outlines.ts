/**
 * Runs in the page: describes each pair `…__<i>a` and `…__<i>b` as texts without the marks: their rendering, their
 * state, and the results of some values and of a check.
 */
export async function outlines({
  pairs,
  probing,
}: {
  readonly pairs: number
  readonly probing: boolean
}): Promise<(readonly [string, string])[]> {
  const engine = window.stage.engine()
  await new Promise((resolve) => setTimeout(resolve, 150))
  const plain = (text: string): string =>
    text
      .replaceAll(/__\d+[ab]/g, '')
      .replaceAll(/(id|for|name|aria-\w+|data-key|data-field)="[^"]*[«»:_]r[\w]*[»:_][^"]*"/g, '$1')
  const seen = [
    'label',
    'value',
    'hidden',
    'disabled',
    'readonly',
    'required',
    'readMode',
    'items',
    'itemsState',
    'children',
  ] as const
  const layers = [...document.querySelectorAll('.vf-layer')]
  const told = (mark: string, at: number): string => {
    const nodes = [...engine.page.nodes.values()].filter(({ name }) => name.endsWith(mark))
    const drawn = nodes
      .map(({ key }) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.outerHTML ?? '')
      .join('\n')
    const states = nodes.map(({ key }) => {
      const state = engine.node(key)
      return [...seen.map((name) => state[name]), state.rows?.length]
    })
    return plain([drawn, layers[at]?.outerHTML ?? '', JSON.stringify(states)].join('\n'))
  }
  const marks = Array.from({ length: pairs }, (_, i) => [`__${i}a`, `__${i}b`] as const)
  const first = marks.map(([a, b], i) => [told(a, 2 * i), told(b, 2 * i + 1)] as const)
  if (!probing) return first
  const PROBES = [
    null,
    [],
    '',
    'x',
    '  long text 1234567890 ',
    12345.678,
    -5,
    ['x', 'y', 'z'],
    [3, 900],
    true,
    [{ name: 'a.zz', url: '/a' }],
  ]
  const checked = new Map<string, string[]>()
  for (const probe of PROBES) {
    for (const { key, field } of engine.page.nodes.values()) if (field) engine.change(key, probe)
    const faults = await engine.validate()
    const values = engine.values()
    for (const mark of marks.flat()) {
      const mine = Object.entries(values).filter(([name]) => name.endsWith(mark))
      const wrong = faults.filter(({ address }) => address.includes(mark)).map(({ message }) => message)
      checked.set(mark, [...(checked.get(mark) ?? []), plain(JSON.stringify([mine, wrong]))])
    }
  }
  return first.map(([a, b], i) => {
    const [left, right] = marks[i] ?? ['', '']
    return [`${a}\n${checked.get(left)?.join('\n')}`, `${b}\n${checked.get(right)?.join('\n')}`] as const
  })
}
