import { afterEach, describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../../../runtime/core/hooks/script-catalogue.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { createInProcessScript } from '../../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import { aPage, aSubForm, aWidget } from '../../../support/a-page.ts'
import { openScriptedPage, type ScriptedPage } from '../../../support/script-page.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)
const ITEMS = [
  { label: '一', value: 1 },
  { label: '二', value: 2 },
]

/**
 * The effect of each method, seen from page code: `F` is the form, `A` a text field, `P` a select, `S` a sub-form of one row, `T` a tab,
 * `C` a collapse; `see(name)` are the current options of a widget. Requests of a page are answered with their own name and arguments.
 */
const METHODS: readonly (readonly [covers: string, code: string, result: Json])[] = [
  [
    'every.getWidgetRef',
    'return [W("a") === A, W("nobody") === undefined, W("nobody", true) === undefined]',
    [true, true, true],
  ],
  ['every.getFormRef', 'return A.getFormRef() === F && T.getFormRef() === F && F.getFormRef() === F', true],
  ['every.getTopFormRef', 'return A.getTopFormRef() === F', true],
  ['every.getGlobalDsv', 'A.getGlobalDsv().n += 1; return F.getGlobalDsv().n', 2],
  [
    'every.executeDataSource',
    'return await A.executeDataSource("d", { q: 1 })',
    ['executeDataSource', 'd', { q: 1 }],
  ],
  ['every.$emit', 'return A.$emit("go", 1) === undefined', true],
  ['every.$message', 'A.$message("m"); return typeof F.$message.error', 'function'],
  ['every.$confirm', 'return await A.$confirm("sure?")', 'confirm'],
  ['every.$alert', 'return await F.$alert({ message: "m" }, "t")', ['alert', 'm', 't']],
  [
    'every.$nextTick',
    'var list = []; await new Promise(function (done) { A.$nextTick(function () { list.push(2); done() }); list.push(1) }); return list',
    [1, 2],
  ],
  ['every.$set', 'var o = {}; return A.$set(o, "x", 1) + o.x', 2],

  ['form.getFormData', 'return [F.getFormData(false).a, (await F.getFormData()).a]', ['x', 'x']],
  [
    'form.setFormData',
    'F.setFormData({ a: "new", unknown: 1, s: [{ x: 5 }, { x: 6 }] }); return F.getFormData(false)',
    { a: 'new', p: 1, many: [], file: [], s: [{ x: 5 }, { x: 6 }], run: null },
  ],
  [
    'form.getFieldValue',
    'return [F.getFieldValue("a"), F.getFieldValue("x"), F.getFieldValue("nobody")]',
    ['x', [9], []],
  ],
  [
    'form.setFieldValue',
    'S.addSubFormRow(); F.setFieldValue("x", 3); F.setFieldValue("a", "y", true); return [F.getFieldValue("x"), A.getValue()]',
    [[3, 3], 'y'],
  ],
  ['form.getSubFormValues', 'return F.getSubFormValues("s")', [{ x: 9 }]],
  [
    'form.setSubFormValues',
    'F.setSubFormValues("s", [{ x: 1 }, {}]); return S.getValue()',
    [{ x: 1 }, { x: 9 }],
  ],
  [
    'form.validateForm',
    'var told; const valid = await F.validateForm(function (v) { told = v }); return [valid, told]',
    [true, true],
  ],
  ['form.validateField', 'return await F.validateField("a")', true],
  ['form.validateFields', 'return await F.validateFields()', true],
  [
    'form.clearValidate',
    'return F.clearValidate() === undefined && F.clearValidate(["a"]) === undefined',
    true,
  ],
  [
    'form.resetForm',
    'A.setValue("y"); S.addSubFormRow(); F.resetForm(); return [A.getValue(), S.getSubFormRowCount()]',
    ['x', 1],
  ],
  [
    'form.disableForm',
    'F.disableForm(); return [see("a").disabled, see("s").actionDisabled, ROW().field.options.disabled]',
    [true, true, true],
  ],
  ['form.enableForm', 'A.setDisabled(); F.enableForm(); return see("a").disabled', false],
  [
    'form.disableWidgets',
    'F.disableWidgets(["a", "p"]); return [see("a").disabled, see("p").disabled]',
    [true, true],
  ],
  ['form.enableWidgets', 'F.disableWidgets("a"); F.enableWidgets("a"); return see("a").disabled', false],
  [
    'form.hideWidgets',
    'F.hideWidgets(["a", "t", "x"]); return [see("a").hidden, see("t").hidden, ROW().field.options.hidden]',
    [true, true, true],
  ],
  ['form.showWidgets', 'F.hideWidgets("a"); F.showWidgets("a"); return see("a").hidden', false],
  [
    'form.setWidgetsRequired',
    'F.setWidgetsRequired("a", true); F.setWidgetsRequired(["p"]); return [see("a").required, see("p").required]',
    [true, true],
  ],
  [
    'form.setReadMode form.getReadMode',
    'F.setReadMode(); const on = F.getReadMode(); F.setReadMode(false); return [on, F.getReadMode()]',
    [true, false],
  ],
  ['form.reloadOptionData', 'return F.reloadOptionData("p") === undefined', true],
  [
    'form.getFormJson form.getMiniFormJson',
    'return [F.getFormJson().widgetList.length, F.getMiniFormJson().widgetList.length]',
    [11, 11],
  ],
  [
    'form.getFieldWidgets',
    'return [F.getFieldWidgets().map(function (w) { return w.name }), F.getFieldWidgets(true).length]',
    [['a', 'p', 'many', 'file', 'x', 'run'], 7],
  ],
  [
    'form.getContainerWidgets',
    'return F.getContainerWidgets().map(function (w) { return w.name })',
    ['s', 't', 'c', 'dia', 'dra'],
  ],
  [
    'form.addEC form.hasEC form.getEC',
    'F.addEC("n", { v: 1 }); return [F.hasEC("n"), F.hasEC("m"), F.getEC("n").v]',
    [true, false, 1],
  ],
  ['form.setFocus', 'return F.setFocus("a") === undefined', true],
  [
    'form.triggerDynamicLogic',
    'A.setHidden(false); F.triggerDynamicLogic("p"); return see("a").hidden',
    true,
  ],
  ['form.getNativeForm', 'return F.getNativeForm() === F', true],
  [
    'form.isPreviewState form.getLanguageName',
    'return [F.isPreviewState(), F.getLanguageName()]',
    [false, 'zh-CN'],
  ],
  ['form.changeLanguage', 'return F.changeLanguage("en") === undefined', true],
  [
    'form.showDialog form.showDrawer',
    'F.showDialog("dia", { a: "d" }, null, "title"); F.showDrawer("dra"); return [see("dia").open, see("dia").title, A.getValue(), see("dra").open]',
    [true, 'title', 'd', true],
  ],
  [
    'form.getParentFormRef form.getChildFormRef form.getDialogOrDrawerRef',
    'const none = F.getDialogOrDrawerRef(); W("dra").show(); return [F.getParentFormRef(), F.getChildFormRef("x"), none, F.getDialogOrDrawerRef() === W("dra")]',
    [null, null, null, true],
  ],

  [
    'field.setValue field.getValue field.fieldModel',
    'A.setValue("y"); return [A.getValue(), A.fieldModel]',
    ['y', 'y'],
  ],
  ['field.resetField', 'A.setValue("y"); A.resetField(); return A.getValue()', 'x'],
  ['field.setReadonly', 'A.setReadonly(); return see("a").readonly', true],
  [
    'field.setDisabled',
    'A.setDisabled(); const on = see("a").disabled; A.setDisabled(false); return [on, see("a").disabled]',
    [true, false],
  ],
  ['field.setLabel', 'A.setLabel("新"); return see("a").label', '新'],
  ['field.setHidden', 'A.setHidden(); return [see("a").hidden, A.getValue()]', [true, 'x']],
  ['field.setRequired', 'A.setRequired(); return see("a").required', true],
  [
    'field.setWidgetOption field.getWidgetOption',
    'A.setWidgetOption("label", "l"); A.setWidgetOption("nobody", 1); return [A.getWidgetOption("label"), A.getWidgetOption("nobody") === undefined]',
    ['l', true],
  ],
  [
    'field.addCssClass field.removeCssClass',
    'A.addCssClass("one"); A.addCssClass("two"); A.removeCssClass("one"); return see("a").customClass',
    ['two'],
  ],
  ['field.clearValidate field.focus field.blur', 'A.clearValidate(); A.focus(); A.blur(); return true', true],
  ['field.setReadMode', 'A.setReadMode(); return see("a").readMode', true],
  [
    'field.loadOptions field.getOptions',
    'P.setValue(1); P.loadOptions([{ label: "新", value: 7 }]); return [P.getOptions(), P.getValue()]',
    [[{ label: '新', value: 7 }], 1],
  ],
  ['field.reloadOptions field.getOptionItems', 'P.reloadOptions([]); return P.getOptionItems()', []],
  [
    'field.clearSelectedOptions',
    'P.setValue(1); P.clearSelectedOptions(); M.setValue([1]); M.clearSelectedOptions(); return [P.getValue(), M.getValue()]',
    ['', []],
  ],
  [
    'field.disableOption',
    'P.disableOption(2); P.disableOption("1"); return P.getOptions()',
    [
      { label: '一', value: 1 },
      { label: '二', value: 2, disabled: true },
    ],
  ],
  ['field.enableOption', 'P.disableOption(2); P.enableOption(2); return P.getOptions()', ITEMS],
  ['field.getSelectedLabel', 'P.setValue(2); return P.getSelectedLabel()', '二'],
  [
    'field.setAppendButtonVisible field.setAppendButtonDisabled',
    'A.setAppendButtonVisible(); A.setAppendButtonDisabled(); return [see("a").appendButton, see("a").appendButtonDisabled]',
    [true, true],
  ],
  [
    'field.setUploadHeader field.setUploadData',
    'U.setUploadHeader("x", 1); U.setUploadHeader("y", "2"); U.setUploadData("k", "v"); return [see("file").uploadHeaders, see("file").uploadData]',
    [{ x: '1', y: '2' }, { k: 'v' }],
  ],
  [
    'field.setBeforeUploadHandler field.setAfterUploadHandler',
    'U.setBeforeUploadHandler(function () {}); U.setAfterUploadHandler(function () {}); U.setAfterUploadHandler(null); return [see("file").beforeUploadHandler, see("file").afterUploadHandler]',
    [true, false],
  ],
  [
    'field.isSubFormItem field.isSubFormField',
    'return [A.isSubFormItem(), ROW().isSubFormItem(), ROW().isSubFormField()]',
    [false, true, true],
  ],
  [
    'field.disableChangeValidate field.enableChangeValidate',
    'A.disableChangeValidate(); const off = see("a").changeValidateDisabled; A.enableChangeValidate(); return [off, see("a").changeValidateDisabled]',
    [true, false],
  ],
  [
    'field.getFieldEditor field.setToolbar',
    'A.setToolbar(["bold"]); return [A.getFieldEditor() === A, see("a").toolbar]',
    [true, ['bold']],
  ],
  [
    'field.field field.widget',
    'A.field.options.label = "l"; return [A.field.type, A.widget.options.name, see("a").label, A.field.id]',
    ['input', 'a', 'l', 'input-a'],
  ],
  [
    'field.subFormRowIndex field.subFormRowId field.subFormName',
    'return [A.subFormRowIndex, A.subFormRowId, A.subFormName, ROW().subFormRowIndex, ROW().subFormRowId === S.getRowIdData()[0], ROW().subFormName]',
    [-1, null, '', 0, true, 's'],
  ],

  ['subForm.addSubFormRow', 'S.addSubFormRow(); return S.getValue()', [{ x: 9 }, { x: 9 }]],
  [
    'subForm.insertSubFormRow',
    'ROW().setValue(1); S.insertSubFormRow(0); return S.getValue()',
    [{ x: 9 }, { x: 1 }],
  ],
  ['subForm.deleteSubFormRow', 'await S.deleteSubFormRow(0); return S.getValue()', []],
  ['subForm.resetSubForm', 'S.addSubFormRow(); S.resetSubForm(); return S.getSubFormRowCount()', 1],
  [
    'subForm.getSubFormValues subForm.getValue',
    'return [S.getSubFormValues(), S.getValue()]',
    [[{ x: 9 }], [{ x: 9 }]],
  ],
  ['subForm.setSubFormValues', 'S.setSubFormValues([{ x: 1 }]); return S.getValue()', [{ x: 1 }]],
  ['subForm.setValue', 'S.setValue([{ x: 1 }, { x: 2 }]); return F.getFieldValue("x")', [1, 2]],
  [
    'subForm.setSubFormFieldValue',
    'S.setSubFormFieldValue("x", 4, 0); S.setSubFormFieldValue("x", 4, 7); return S.getValue()',
    [{ x: 4 }],
  ],
  [
    'subForm.getSubFormRowCount subForm.getRowIdData',
    'return [S.getSubFormRowCount(), S.getRowIdData().length]',
    [1, 1],
  ],
  [
    'subForm.getWidgetRefOfSubForm',
    'return [S.getWidgetRefOfSubForm("x", 0) === ROW(), S.getWidgetRefOfSubForm("x", 7) === undefined]',
    [true, true],
  ],
  [
    'subForm.disableSubForm subForm.enableSubForm',
    'S.disableSubForm(); const off = ROW().field.options.disabled; S.enableSubForm(); return [off, ROW().field.options.disabled, see("s").actionDisabled]',
    [true, false, false],
  ],
  [
    'subForm.disableSubFormRow subForm.enableSubFormRow',
    'S.disableSubFormRow(0); const off = ROW().field.options.disabled; S.enableSubFormRow(0); return [off, ROW().field.options.disabled]',
    [true, false],
  ],
  [
    'subForm.setInsertDisabled subForm.setDeleteDisabled',
    'S.setInsertDisabled(); S.setDeleteDisabled(true); return [see("s").insertDisabled, see("s").deleteDisabled]',
    [true, true],
  ],
  [
    'subForm.setHidden subForm.setDisabled subForm.clearValidate',
    'S.setHidden(); S.setDisabled(); S.clearValidate(); return [see("s").hidden, see("s").disabled]',
    [true, true],
  ],
  [
    'subForm.setWidgetOption subForm.getWidgetOption',
    'S.setWidgetOption("showRowNumber", false); return S.getWidgetOption("showRowNumber")',
    false,
  ],
  [
    'subForm.addCssClass subForm.removeCssClass',
    'S.addCssClass("k"); S.addCssClass("l"); S.removeCssClass("l"); return see("s").customClass',
    ['k'],
  ],
  ['subForm.field subForm.widget', 'return [S.field.type, S.widget.options.name]', ['sub-form', 's']],

  [
    'container.activeTab container.getActiveTabIndex',
    'const first = T.getActiveTabIndex(); T.activeTab(1); return [first, T.getActiveTabIndex()]',
    [0, 1],
  ],
  [
    'container.disableTab container.enableTab',
    'T.disableTab(0); T.disableTab(1); T.enableTab(1); return [see("t1").disabled, see("t2").disabled]',
    [true, false],
  ],
  [
    'container.hideTab container.showTab',
    'T.hideTab(0); T.hideTab(1); T.showTab(1); return [see("t1").hidden, see("t2").hidden]',
    [true, false],
  ],
  [
    'container.setCollapseItemDisabled container.setCollapseItemReadonly',
    'C.setCollapseItemDisabled(0, true); C.setCollapseItemReadonly(0); return [see("c1").disabled, see("c1").readonly]',
    [true, true],
  ],
  [
    'container.show container.close',
    'const D = W("dia"); D.show(); const open = see("dia").open; D.close(); return [open, see("dia").open]',
    [true, false],
  ],
  [
    'container.setHidden container.setDisabled container.clearValidate',
    'T.setHidden(); T.setDisabled(); T.clearValidate(); return [see("t").hidden, see("t").disabled]',
    [true, true],
  ],
  [
    'container.setWidgetOption container.getWidgetOption',
    'T.setWidgetOption("customClass", ["z"]); return T.getWidgetOption("customClass")',
    ['z'],
  ],
  [
    'container.addCssClass container.removeCssClass',
    'T.addCssClass("k"); T.addCssClass("l"); T.removeCssClass("k"); return see("t").customClass',
    ['l'],
  ],
  ['container.field container.widget', 'return [T.field.type, T.widget.options.name]', ['tab', 't']],
]

let open: ScriptedPage | undefined
afterEach(() => open?.session.dispose())

describe('the methods of page code', () => {
  it.each(METHODS)('work: %s', async (_, code, result) => {
    open = aPageThatRuns(code)

    const answer = await open.session.ask({ hook: 'onValidate', key: 'run', args: [{}, null] })

    expect(open.reports).toEqual([])
    expect(answer).toEqual({ ok: true, value: result })
  })

  it('each have a test, except those that the catalogue refuses', () => {
    const covered = new Set(METHODS.flatMap(([names]) => names.split(' ')))

    const listed = CATALOGUE.filter(({ owner, status }) => owner !== 'global' && status !== 'error')
    expect(listed.map(({ owner, name }) => `${owner}.${name}`).filter((name) => !covered.has(name))).toEqual(
      [],
    )
  })
})

const PROLOGUE = `
  const W = (name, show) => this.getWidgetRef(name, show), F = this.getFormRef()
  const A = W("a"), P = W("p"), M = W("many"), U = W("file"), S = W("s"), T = W("t"), C = W("c")
  const ROW = () => S.getWidgetRefOfSubForm("x", 0), see = (name) => W(name).field.options
`

function aPageThatRuns(code: string): ScriptedPage {
  const part = (type: string, name: string) =>
    aWidget(type, name, {}, { category: 'container', widgetList: [] })
  const page = aPage(
    [
      aWidget('input', 'a', { defaultValue: 'x' }),
      aWidget('select', 'p', { optionItems: ITEMS, defaultValue: 1 }),
      aWidget('checkbox', 'many', { optionItems: ITEMS, defaultValue: [] }),
      aWidget('file-upload', 'file'),
      aSubForm('s', [aWidget('number', 'x', { defaultValue: 9 })]),
      aWidget(
        'tab',
        't',
        {},
        { category: 'container', tabs: [part('tab-pane', 't1'), part('tab-pane', 't2')] },
      ),
      aWidget('collapse', 'c', {}, { category: 'container', widgetList: [part('collapse-item', 'c1')] }),
      part('dialog', 'dia'),
      part('drawer', 'dra'),
      aWidget('static-text', 'words'),
      aWidget('input', 'run', { onValidate: PROLOGUE + code }),
    ],
    {
      dynamicLogicList: [
        {
          triggerFieldName: 'p',
          triggerFieldValues: [1],
          actions: [{ type: 'setVisibility', targetFieldName: 'a', value: false }],
        },
      ],
    },
  )
  return openScriptedPage({
    script,
    page,
    variables: { n: 1 },
    onRequest: async (name, args) => {
      if (name === 'validate' || name === 'validateField') return { valid: true, message: '' }
      return name === 'confirm' || name === 'confirmRowDelete' ? true : [name, ...args]
    },
  })
}
