// Guest side, part 3: members that need more than one call of a power.
;(kit) => {
  const { ask, request, keyOf, found } = kit
  const { freeze } = Object
  const RealPromise = Promise
  const form = () => kit.refTo('form', '')

  // The host variables: one object for the whole session, as in VForm. Page code may write to it at any depth. The page gets it before each request
  // and at the end of each run.
  const { stringify } = JSON
  let variables
  let told
  const getGlobalDsv = () => {
    if (variables === undefined) {
      variables = ask('page.variables', [])
      told = stringify(variables)
    }
    return variables
  }
  kit.tellVariables = () => {
    if (variables === undefined) return
    let text
    try {
      text = stringify(variables)
    } catch {
      return // cyclic data is not JSON: the page keeps its last copy
    }
    if (text === told) return
    told = text
    ask('page.setVariables', [variables])
  }
  const wordsOf = (given) =>
    typeof given === 'object' && given !== null ? String(given.message ?? '') : String(given)

  kit.methods('every', {
    getWidgetRef: (name, showError) => found(ask('page.widget', [name, showError])),
    getFormRef: form,
    getTopFormRef: form,
    getGlobalDsv,
    executeDataSource: (name, local) => request('executeDataSource', [name, local ?? {}]),
    $emit: (name, ...args) => ask('page.emit', [name, args]),
    $confirm: (text, title) =>
      request('confirm', [wordsOf(text), title]).then((sure) => {
        if (!sure) throw 'cancel'
        return 'confirm'
      }),
    $alert: (text, title) => request('alert', [wordsOf(text), title]),
    $nextTick: (task) => {
      const next = RealPromise.resolve()
      return typeof task === 'function' ? next.then(() => task()) : next
    },
    $set: (object, name, value) => {
      object[name] = value
      return value
    },
  })

  const components = new Map()
  const check = (name, args) => request(name, args).then(({ valid }) => valid)
  kit.methods('form', {
    getFormData(needValidation = true) {
      if (needValidation === false) return ask('page.values', [])
      return request('validate', []).then((answer) => {
        if (answer.valid) return ask('page.values', [])
        throw answer.message
      })
    },
    validateForm: (callback) =>
      check('validate', []).then((valid) => {
        if (typeof callback === 'function') callback(valid)
        return valid
      }),
    validateField: (name) => check('validateField', [name]),
    validateFields: () => check('validate', []),
    addEC: (name, component) => void components.set(name, component),
    hasEC: (name) => components.has(name),
    getEC: (name) => components.get(name),
    getNativeForm: form,
    getParentFormRef: () => null,
    getChildFormRef: () => null,
    getDialogOrDrawerRef: () => found(ask('page.openLayer', [])) ?? null,
  })

  kit.methods('subForm', {
    deleteSubFormRow(index) {
      const key = keyOf(this)
      return request('confirmRowDelete', [key, index]).then((sure) => {
        if (sure) ask('rows.delete', [key, index])
      })
    },
    getWidgetRefOfSubForm(name, index) {
      return found(ask('rows.widget', [keyOf(this), name, index]))
    },
  })

  // Handlers that code sets instead of the two upload hooks; an option makes the page call them.
  const handlers = new Map()
  const setHandler = (hook, option) =>
    function (handler) {
      const key = keyOf(this)
      if (typeof handler === 'function') handlers.set(`${hook} ${key}`, handler)
      else handlers.delete(`${hook} ${key}`)
      ask('widget.setOption', [key, option, typeof handler === 'function'])
    }
  kit.handlerOf = (hook, self) => (self === null ? undefined : handlers.get(`${hook} ${self.key}`))
  kit.methods('field', {
    setBeforeUploadHandler: setHandler('onBeforeUpload', 'beforeUploadHandler'),
    setAfterUploadHandler: setHandler('onUploadSuccess', 'afterUploadHandler'),
    getFieldEditor() {
      return this
    },
  })

  // `this.$message('…')`, `this.$message.success('…')` and `this.$message({ message, type })` are toasts.
  const say = (type) => (message) => {
    const own = typeof message === 'object' && message !== null ? message : {}
    ask('page.toast', [wordsOf(message), type ?? own.type, own.duration])
  }
  kit.message = say()
  for (const type of ['success', 'error', 'warning', 'info']) kit.message[type] = say(type)
  freeze(kit.message)
  kit.method('every', '$message', kit.message)
  kit.closeRefs()
}
