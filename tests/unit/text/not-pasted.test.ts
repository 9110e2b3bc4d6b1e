import { expect, it } from 'vitest'
import { notPasted } from '../../../runtime/core/text/not-pasted.ts'

const box = (value: string, selectionStart: number | null = value.length, selectionEnd = selectionStart) => ({
  value,
  selectionStart,
  selectionEnd,
})

it.each([
  ['what fits', '12345', box(''), 0],
  ['what is too long', '1234567', box(''), 2],
  ['what a full box has no room for', '67', box('12345'), 2],
  ['what a selection makes room for', '67', box('12345', 0, 2), 0],
  ['what a selection makes too little room for', '678', box('12345', 0, 2), 1],
  ['characters of two units as one each', '12345😀😀', box(''), 2],
  ['line ends of Windows as the box does', '1\r\n2\r\n3', box(''), 0],
  ['no blanks at the end', '12345\n', box(''), 0],
  ['no more than what is certain where the selection is unknown', '1234567', box('123', null), 2],
])('counts %s', (_, text, into, count) => expect(notPasted(text, into, 5)).toBe(count))
