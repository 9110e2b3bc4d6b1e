// Guest side, part 7: after `functions` has run, the built-ins are frozen, so that a hook cannot change them for the next one.
;(kit) => {
  const { getOwnPropertyDescriptor, getOwnPropertyDescriptors, getPrototypeOf, defineProperty, freeze } =
    Object
  const { ownKeys } = Reflect
  const builtIn = ownKeys(globalThis).filter((name) => name !== 'globalThis')
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
  const heirs = [Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Date.prototype]
  const errors = builtIn.filter((name) => typeof name === 'string' && name.endsWith('Error'))
  const overridable = [...heirs, ...errors.map((name) => globalThis[name].prototype)]

  /** Everything reachable from the built-ins before any page code runs. Objects that page code adds later stay changeable. */
  const own = new Set([globalThis])
  const hidden = [
    function* () {},
    async () => {},
    async function* () {},
    [][Symbol.iterator](),
    new Map().entries(),
    new Set().values(),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
  ]
  const globals = getOwnPropertyDescriptors(globalThis)
  const queue = [...builtIn.map((name) => globals[name].value), ...hidden]
  while (queue.length > 0) {
    const object = queue.pop()
    if (!isObject(object) || own.has(object) || kit.refusing.has(object)) continue
    own.add(object)
    for (const name of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, name)
      queue.push(value, get, set)
    }
    queue.push(getPrototypeOf(object))
  }
  own.delete(globalThis)
  const list = [...own]

  /** A frozen property of a prototype would also block assignments of the same name on its instances; an accessor allows them. */
  function allowOverride(prototype) {
    const names = ownKeys(prototype)
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i]
      const { value, configurable, writable, enumerable } = getOwnPropertyDescriptor(prototype, name)
      if (!configurable || !writable) continue
      defineProperty(prototype, name, {
        __proto__: null,
        get: () => value,
        set(given) {
          if (this === prototype) throw new TypeError('built-in objects cannot be changed')
          const data = { __proto__: null, value: given, writable: true, enumerable: true, configurable: true }
          defineProperty(this, name, data)
        },
        enumerable,
        configurable: false,
      })
    }
  }

  // Page code has run by now: only use what it cannot have changed (no iterators, no array methods).
  kit.lock = () => {
    for (let i = 0; i < overridable.length; i += 1) allowOverride(overridable[i])
    for (let i = 0; i < list.length; i += 1) freeze(list[i])
    for (let i = 0; i < builtIn.length; i += 1) {
      const name = builtIn[i]
      if (getOwnPropertyDescriptor(globalThis, name)?.configurable)
        defineProperty(globalThis, name, { __proto__: null, writable: false, configurable: false })
    }
  }
}
