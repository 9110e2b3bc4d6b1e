// Guest side, part 2: the references that page code works with. Methods are created from the list of granted powers, so that no method exists without
// a power; refused methods come from the catalogue; the few that need more than one call are in part 3.
;(kit) => {
  const { ask } = kit
  const { freeze, defineProperty } = Object
  const { parse } = JSON
  const keys = new WeakMap()
  kit.keyOf = (ref) => keys.get(ref)
  const { keyOf } = kit
  const { powers, refused } = parse(kit.names)
  delete kit.names
  kit.refused = refused

  // Unknown names end in this class, so that the error "not a function" can name them.
  class Ref {}
  Object.setPrototypeOf(
    Ref.prototype,
    new Proxy(Object.prototype, {
      __proto__: null,
      get(target, name, receiver) {
        if (typeof name === 'string' && !(name in target)) kit.missed = name
        return Reflect.get(target, name, receiver)
      },
      set: (_, name, value, receiver) =>
        defineProperty(receiver, name, { value, writable: true, configurable: true, enumerable: true }) ===
        receiver,
    }),
  )
  class FormRef extends Ref {}
  class FieldRef extends Ref {}
  class SubFormRef extends Ref {}
  class ContainerRef extends Ref {}
  kit.classes = { form: FormRef, field: FieldRef, subForm: SubFormRef, container: ContainerRef }
  const owners = (owner) =>
    owner === 'every'
      ? Object.values(kit.classes)
      : [kit.classes[owner]].filter((Owner) => Owner !== undefined)

  kit.method = (owner, name, value) => {
    for (const Owner of owners(owner))
      defineProperty(Owner.prototype, name, { value, writable: true, configurable: true, enumerable: false })
  }
  kit.methods = (owner, list) => {
    for (const name of Object.keys(list)) kit.method(owner, name, list[name])
  }
  kit.getter = (owner, name, get) => {
    for (const Owner of owners(owner))
      defineProperty(Owner.prototype, name, { get, configurable: true, enumerable: false })
  }
  kit.refuse = (name, note) => () => {
    throw new Error(`${name} is not available in page scripts: ${note}`)
  }

  for (const power of powers) {
    const [owner, name] = power.split('.')
    const withKey = {
      [name](...args) {
        return ask(power, [keyOf(this), ...args])
      },
    }
    const plain = {
      [name](...args) {
        return ask(power, args)
      },
    }
    kit.method(owner, name, owner === 'form' ? plain[name] : withKey[name])
  }
  for (const { owner, name, kind, note } of refused) {
    if (kind === 'property') kit.getter(owner, name, kit.refuse(name, note))
    else kit.method(owner, name, kit.refuse(name, note))
  }

  const made = new Map()
  /** The only reference of a node: always the same object, so that page code can compare it. */
  kit.refTo = (kind, key) => {
    const name = `${kind} ${key}`
    let ref = made.get(name)
    if (ref === undefined) {
      ref = new kit.classes[kind]()
      keys.set(ref, key)
      made.set(name, ref)
    }
    return ref
  }
  kit.found = (at) => (at === undefined || at === null ? undefined : kit.refTo(at.kind, at.key))

  /** Options as a live object; writing one calls setWidgetOption. */
  const optionsOf = (key) =>
    new Proxy(Object.create(null), {
      __proto__: null,
      get: (_, name) => (typeof name === 'string' ? ask('widget.option', [key, name]) : undefined),
      set: (_, name, value) => {
        ask('widget.setOption', [key, name, value])
        return true
      },
      has: (_, name) => ask('widget.option', [key, name]) !== undefined,
      ownKeys: () => Object.keys(ask('widget.options', [key])),
      getOwnPropertyDescriptor: (_, name) => ({
        value: ask('widget.option', [key, name]),
        writable: true,
        enumerable: true,
        configurable: true,
      }),
      deleteProperty: () => false,
      defineProperty: () => false,
    })
  const fieldOf = (key) => freeze({ ...ask('widget.facts', [key]), options: optionsOf(key) })
  for (const owner of ['field', 'subForm', 'container']) {
    for (const name of ['field', 'widget']) {
      kit.getter(owner, name, function () {
        return fieldOf(keyOf(this))
      })
    }
  }
  kit.getter('field', 'fieldModel', function () {
    return ask('field.getValue', [keyOf(this)])
  })
  for (const [name, part] of [
    ['subFormRowIndex', 'index'],
    ['subFormRowId', 'id'],
    ['subFormName', 'subForm'],
  ]) {
    kit.getter('field', name, function () {
      return ask('widget.row', [keyOf(this)])[part]
    })
  }
  kit.closeRefs = () => {
    for (const Owner of [Ref, ...Object.values(kit.classes)]) {
      freeze(Owner.prototype)
      freeze(Owner)
    }
  }
}
