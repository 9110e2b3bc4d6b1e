// Guest side, part 5: globals. `console` writes to the page's inspector. Globals of a browser page that a page script does not have are replaced, or
// throw an error that names the alternative.
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
    // A class as target, so that calling and constructing throw the same error.
    const traps = { __proto__: null }
    for (const trap of Object.getOwnPropertyNames(Reflect))
      if (typeof Reflect[trap] === 'function') traps[trap] = refuse
    const proxy = new Proxy(class {}, traps)
    kit.refusing.add(proxy)
    set(name, proxy)
  }
}
