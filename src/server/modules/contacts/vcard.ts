import type { CallContext } from '../../kernel/context/call-context.ts'
import { findRecord, wireRecord } from '../../kernel/records/find-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** A contact as vCard 3.0, for the phone's address book; masked values are left out. */
export async function vcardOf(id: string, ctx: CallContext): Promise<string> {
  const found = await findRecord('contact', id, ctx)
  if (found.owner_id === null) refuse(405, 'NO_PERMISSION', text('customer.masked'))
  const shown = wireRecord('contact', found, ctx)
  const clear = (name: string) =>
    shown[name] === found[name] && typeof found[name] === 'string' ? found[name] : null
  const name = String(shown.name ?? '')
  const lines: readonly (readonly [string, unknown])[] = [
    ['N;CHARSET=UTF-8', `${escaped(name)};;;;`],
    ['FN;CHARSET=UTF-8', escaped(name)],
    ['ORG;CHARSET=UTF-8', escaped(String(found.customer_name ?? ''))],
    ['TITLE;CHARSET=UTF-8', textOf(clear('position'))],
    ['TEL;TYPE=CELL', textOf(clear('mobile'))],
    ['TEL;TYPE=CELL', textOf(clear('mobile2'))],
    ['TEL;TYPE=WORK', textOf(clear('telephone'))],
    ['EMAIL', textOf(clear('email'))],
    ['ADR;CHARSET=UTF-8', clear('address') === null ? '' : `;;${textOf(clear('address'))};;;;`],
  ]
  const body = lines.filter(([, value]) => value !== '').map(([key, value]) => `${key}:${value}`)
  return ['BEGIN:VCARD', 'VERSION:3.0', ...body, 'END:VCARD', ''].join('\r\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? escaped(value) : ''
}

function escaped(value: string): string {
  return value.replace(/[\\;,]/g, (char) => `\\${char}`).replace(/\r?\n/g, '\\n')
}
