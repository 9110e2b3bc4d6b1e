// Guest side, part 1: the connection to the host. Page code never sees `kit`, which keeps the built-ins as they were before any page code ran.
;(kit) => {
  const { stringify, parse } = JSON
  const RealPromise = Promise
  const RealDate = Date
  const { construct, defineProperty } = Reflect
  const host = kit.host
  delete kit.host

  /** Calls a power with JSON values; trailing undefined arguments are dropped, so that defaults apply. */
  kit.ask = (name, args) => {
    let count = args.length
    while (count > 0 && args[count - 1] === undefined) count -= 1
    args.length = count
    const answer = host(name, stringify(args))
    if (answer === '') return undefined
    if (answer[0] === '!') throw new Error(answer.slice(1))
    return parse(answer)
  }

  const waiting = { __proto__: null }

  /** Asks the page for something asynchronous; the promise settles in a later run. */
  kit.request = (name, args) =>
    new RealPromise((resolve, reject) => {
      kit.tellVariables()
      waiting[kit.ask('page.request', [name, args])] = { resolve, reject }
    })

  kit.settle = (json) => {
    const { id, ok, value } = parse(json)
    const waiter = waiting[id]
    delete waiting[id]
    if (waiter === undefined) return
    if (ok) waiter.resolve(value)
    else waiter.reject(new Error(value))
  }

  // The clock is granted: it shows the start time of the run and stands still until the next run.
  let now = 0
  kit.clock = (json) => {
    now = parse(json)
  }
  function dateByClock(...args) {
    if (new.target === undefined) return construct(RealDate, [now]).toString()
    return construct(RealDate, args.length === 0 ? [now] : args, new.target)
  }
  dateByClock.prototype = RealDate.prototype
  dateByClock.parse = RealDate.parse
  dateByClock.UTC = RealDate.UTC
  dateByClock.now = () => now
  const data = { writable: true, configurable: true, enumerable: false }
  defineProperty(dateByClock, 'name', { ...data, value: 'Date' })
  defineProperty(dateByClock, 'length', { ...data, value: 7 })
  defineProperty(RealDate.prototype, 'constructor', { ...data, value: dateByClock })
  defineProperty(globalThis, 'Date', { ...data, value: dateByClock })

  // Random numbers are granted as a seed, so that a recorded run can be replayed.
  const { imul } = Math
  let seed = kit.seed
  delete kit.seed
  defineProperty(Math, 'random', {
    ...data,
    value: function random() {
      seed = (seed + 0x6d2b79f5) | 0
      let mixed = imul(seed ^ (seed >>> 15), 1 | seed)
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
    },
  })

  // Formatting by language is granted: QuickJS has no Intl.
  const grant = (prototype, name, method) => defineProperty(prototype, name, { ...data, value: method })
  const { getTime } = RealDate.prototype
  for (const [name, parts] of [
    ['toLocaleString', 'both'],
    ['toLocaleDateString', 'date'],
    ['toLocaleTimeString', 'time'],
  ]) {
    grant(RealDate.prototype, name, function (locale, options) {
      return kit.ask('format.date', [getTime.call(this), parts, locale, options])
    })
  }
  grant(Number.prototype, 'toLocaleString', function (locale, options) {
    return kit.ask('format.number', [Number(this), locale, options])
  })
  grant(String.prototype, 'localeCompare', function (other, locale) {
    return kit.ask('format.compare', [String(this), String(other), locale])
  })
}
