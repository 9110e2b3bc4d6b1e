// Guest side, part 7: after `functions` ran, the built-ins are closed. One hook cannot change them under the feet of the next.
;(kit) => {
  const { getOwnPropertyDescriptor, getOwnPropertyDescriptors, getPrototypeOf, defineProperty, freeze } =
    Object
  const { ownKeys } = Reflect
  const builtIn = ownKeys(globalThis).filter((name) => name !== 'globalThis')
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'

  /** A frozen prototype would also forbid own properties of the same name on its heirs; an accessor lets them through. */
  function allowOverride(prototype) {
    const descriptors = getOwnPropertyDescriptors(prototype)
    for (const name of ownKeys(descriptors)) {
      const { value, configurable, writable, enumerable } = descriptors[name]
      if (!configurable || !writable) continue
      defineProperty(prototype, name, {
        get: () => value,
        set(own) {
          if (this === prototype) throw new TypeError('built-in objects cannot be changed')
          defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true })
        },
        enumerable,
        configurable: false,
      })
    }
  }
  function close(root, done) {
    const queue = [root]
    while (queue.length > 0) {
      const object = queue.pop()
      if (!isObject(object) || done.has(object) || kit.refusing.has(object)) continue
      done.add(object)
      freeze(object)
      for (const name of ownKeys(object)) {
        const { value, get, set } = getOwnPropertyDescriptor(object, name)
        if (isObject(value)) queue.push(value)
        else if (get !== undefined || set !== undefined) queue.push(get, set)
      }
      queue.push(getPrototypeOf(object))
    }
  }

  kit.lock = () => {
    const done = new WeakSet([globalThis])
    const heirs = [Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Date.prototype]
    const errors = builtIn.filter((name) => typeof name === 'string' && name.endsWith('Error'))
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
    const roots = builtIn.map((name) => globals[name].value)
    for (const prototype of [...heirs, ...errors.map((name) => globalThis[name].prototype)])
      allowOverride(prototype)
    for (const root of [...roots, ...hidden]) close(root, done)
    for (const name of builtIn) {
      if (globals[name].configurable)
        defineProperty(globalThis, name, { writable: false, configurable: false })
    }
  }
}
