// Guest side, part 5: globals. `console` goes to the page's inspector; what a browser page would have, and a page script has not, is a
// stand-in or answers with an error that says what to use instead.
;(kit) => {
  const { defineProperty, freeze } = Object
  const { stringify } = JSON
  const set = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

  const shown = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    try {
      return stringify(value) ?? String(value)
    } catch {
      return typeof value
    }
  }
  const console = {}
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    console[level] = (...values) =>
      void kit.ask('page.log', [level, values.map(shown).join(' ').slice(0, 2000)])
  }
  set('console', freeze(console))
  set('window', globalThis)
  set('self', globalThis)
  set('axios', kit.axios)
  set('fetch', kit.fetch)
  set('alert', (message) => void kit.message(message))

  kit.refusing = new WeakSet()
  for (const { owner, name, note } of kit.refused) {
    if (owner !== 'global') continue
    const refuse = kit.refuse(name, note)
    // A target that is a class, so that calling and constructing are refused in the same words.
    const traps = { __proto__: null }
    for (const trap of Object.getOwnPropertyNames(Reflect))
      if (typeof Reflect[trap] === 'function') traps[trap] = refuse
    const proxy = new Proxy(class {}, traps)
    kit.refusing.add(proxy)
    set(name, proxy)
  }
}
