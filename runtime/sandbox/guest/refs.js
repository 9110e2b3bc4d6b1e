// Guest side, part 2: the references page code works with. Methods are made from the list of granted powers, so that a method
// without a power cannot exist; the few that are more than one call are written out below.
;(kit) => {
  const { ask, request } = kit
  const { freeze, defineProperty } = Object
  const keys = new WeakMap()
  const keyOf = (ref) => keys.get(ref)

  class FormRef {}
  class FieldRef {}
  class SubFormRef {}
  class ContainerRef {}
  const classes = { form: FormRef, field: FieldRef, subForm: SubFormRef, container: ContainerRef }

  for (const power of JSON.parse(kit.powers)) {
    const [owner, method] = power.split('.')
    const Ref = classes[owner]
    if (Ref === undefined) continue
    const run =
      owner === 'form'
        ? {
            [method](...args) {
              return ask(power, args)
            },
          }
        : {
            [method](...args) {
              return ask(power, [keyOf(this), ...args])
            },
          }
    method_(Ref, method, run[method])
  }
  delete kit.powers

  function method_(Ref, name, value) {
    defineProperty(Ref.prototype, name, { value, writable: true, configurable: true, enumerable: false })
  }
  function getter(Ref, name, get, set) {
    defineProperty(Ref.prototype, name, { get, set, configurable: true, enumerable: false })
  }
  function methods(list, Ref) {
    for (const name of Object.keys(list)) method_(Ref, name, list[name])
  }

  const made = new Map()
  /** The one reference of a node: the same object each time, so that page code may compare it. */
  kit.refTo = (kind, key) => {
    const name = `${kind} ${key}`
    let ref = made.get(name)
    if (ref === undefined) {
      ref = new classes[kind]()
      keys.set(ref, key)
      made.set(name, ref)
    }
    return ref
  }
  const found = (at) => (at === undefined || at === null ? undefined : kit.refTo(at.kind, at.key))
  const form = () => kit.refTo('form', '')

  /** Options as an object that is always current; writing one is setWidgetOption. */
  const optionsOf = (key) =>
    new Proxy(Object.create(null), {
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

  const everywhere = {
    getWidgetRef: (name, showError) => found(ask('page.widget', [name, showError])),
    getFormRef: () => form(),
    getTopFormRef: () => form(),
    getGlobalDsv: () => kit.variables(),
    executeDataSource: (name, variables) => request('executeDataSource', [name, variables ?? {}]),
    $emit: (name, ...args) => ask('page.emit', [name, args]),
  }
  for (const Ref of [FormRef, FieldRef, SubFormRef, ContainerRef]) methods(everywhere, Ref)
  for (const Ref of [FieldRef, SubFormRef, ContainerRef]) {
    getter(Ref, 'field', function () {
      return fieldOf(keyOf(this))
    })
    getter(Ref, 'widget', function () {
      return fieldOf(keyOf(this))
    })
  }
  getter(FieldRef, 'fieldModel', function () {
    return ask('field.getValue', [keyOf(this)])
  })
  for (const [name, part] of [
    ['subFormRowIndex', 'index'],
    ['subFormRowId', 'id'],
    ['subFormName', 'subForm'],
  ]) {
    getter(FieldRef, name, function () {
      return ask('widget.row', [keyOf(this)])[part]
    })
  }

  // The host's variables: one object for the whole session, as in VForm; page code may write to it.
  let variables
  kit.variables = () => {
    if (variables === undefined) variables = ask('page.variables', [])
    return variables
  }

  const components = new Map()
  methods(
    {
      getFormData(needValidation = true) {
        if (needValidation === false) return ask('page.values', [])
        return request('validate', []).then((answer) => {
          if (answer.valid) return ask('page.values', [])
          throw answer.message
        })
      },
      validateForm(callback) {
        return request('validate', []).then((answer) => {
          if (typeof callback === 'function') callback(answer.valid)
          return answer.valid
        })
      },
      addEC: (name, component) => void components.set(name, component),
      hasEC: (name) => components.has(name),
      getEC: (name) => components.get(name),
      getNativeForm: () => form(),
    },
    FormRef,
  )
  methods(
    {
      deleteSubFormRow(index) {
        const key = keyOf(this)
        return request('confirmRowDelete', [key, index]).then((sure) => {
          if (sure) ask('rows.delete', [key, index])
        })
      },
      getWidgetRefOfSubForm(name, index) {
        return found(ask('rows.widget', [keyOf(this), name, index]))
      },
    },
    SubFormRef,
  )

  // `this.$message('…')`, `this.$message.success('…')` and `this.$message({ message, type })` are toasts.
  const say = (type) => (message) => {
    const text = typeof message === 'object' && message !== null ? message.message : message
    ask('page.toast', [String(text), type ?? (typeof message === 'object' ? message.type : undefined)])
  }
  kit.message = say()
  for (const type of ['success', 'error', 'warning', 'info']) kit.message[type] = say(type)
  freeze(kit.message)
  for (const Ref of [FormRef, FieldRef, SubFormRef, ContainerRef]) {
    method_(Ref, '$message', kit.message)
    freeze(Ref.prototype)
    freeze(Ref)
  }
}
