// Guest side, part 3: globals. `console` goes to the page's inspector; everything a browser page would have, and a page script
// has not, answers with an error that says what to use instead.
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

  const sources = 'declare a data source and call executeDataSource'
  const widgets = 'use getWidgetRef and the widget methods'
  const later = 'hooks run when something happens: use the hook of that event'
  const store = 'use setFieldValue for what belongs to the form; the page keeps drafts by itself'
  const absent = {
    window: 'functions and constants belong in formConfig.functions',
    document: widgets,
    localStorage: store,
    sessionStorage: store,
    indexedDB: store,
    location: 'use an action (on: navigate) of the page',
    history: 'use an action (on: back) of the page',
    navigator: 'use an action of the page',
    axios: sources,
    fetch: sources,
    XMLHttpRequest: sources,
    WebSocket: sources,
    setTimeout: later,
    setInterval: later,
    clearTimeout: later,
    clearInterval: later,
    requestAnimationFrame: later,
    queueMicrotask: 'use Promise.resolve().then',
    alert: 'use this.$message',
    confirm: 'use an action (on: confirm) of the page',
    prompt: 'use a field',
    require: 'put shared code in formConfig.functions',
    importScripts: 'put shared code in formConfig.functions',
    process: 'page scripts do not run in Node',
    Intl: 'use toLocaleString, toLocaleDateString and localeCompare',
    uni: 'use an action of the page',
    wx: 'use an action of the page',
  }
  kit.refusing = new WeakSet()
  for (const name of Object.keys(absent)) {
    const refuse = () => {
      throw new Error(`${name} is not available in page scripts: ${absent[name]}`)
    }
    // A target that is a class, so that calling and constructing are refused in the same words.
    const traps = { __proto__: null }
    for (const trap of Object.getOwnPropertyNames(Reflect))
      if (typeof Reflect[trap] === 'function') traps[trap] = refuse
    const proxy = new Proxy(class {}, traps)
    kit.refusing.add(proxy)
    set(name, proxy)
  }
}
