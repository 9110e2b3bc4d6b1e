// Guest side, part 7: after `functions` ran, the built-ins are closed. One hook cannot change them under the feet of the next.
;(kit) => {
  const { getOwnPropertyDescriptor, getOwnPropertyDescriptors, getPrototypeOf, defineProperty, freeze } =
    Object
  const { ownKeys } = Reflect
  const builtIn = ownKeys(globalThis).filter((name) => name !== 'globalThis')
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
  const heirs = [Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Date.prototype]
  const errors = builtIn.filter((name) => typeof name === 'string' && name.endsWith('Error'))
  const overridable = [...heirs, ...errors.map((name) => globalThis[name].prototype)]

  /** All that can be reached from the built-ins, found before any page code runs: what page code puts there is its own affair. */
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

  /** A frozen prototype would also forbid own properties of the same name on its heirs; an accessor lets them through. */
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

  // Page code has run by now: nothing here may lean on what it can have changed (iterators, methods of arrays).
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
