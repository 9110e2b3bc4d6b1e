import { expect, it } from 'vitest'
import { cssFaults } from '../../../src/workbench/code/css-faults.ts'

const told = (code: string) => cssFaults(code).map(({ from, to, kind }) => `${kind}: ${code.slice(from, to)}`)

it('valid css reports nothing', () => {
  expect(
    told(`/* { */
.vip { color: red; background: url("/img/a.png"); }
.a, .b:hover > p { margin: calc(1px + 2px) }
@media (min-width: 700px) { .wide { display: grid; } }`),
  ).toEqual([])
  expect(told('')).toEqual([])
})

it('dropped rules are reported at their position', () => {
  expect(told('.a { position: fixed; color: red }')).toEqual(['declaration: position: fixed'])
  expect(told('/* a comment */ .a, a[href] { color: red }')).toEqual(['selector: a[href]'])
  expect(told('@import "x.css"; .a { color: red }')).toEqual(['rule: @import "x.css"; .a'])
  expect(told('@font-face { src: url(x) }')).toEqual(['rule: @font-face'])
  expect(told('@media (min-width: 1px) { .a { width: expression(alert()) } }')).toEqual([
    'declaration: width: expression(alert())',
  ])
  expect(told('.a { .b { color: red } }')).toEqual(['rule: .a'])
  expect(told('.a { colour }')).toEqual(['declaration: colour'])
})

it('a missing bracket is reported', () => {
  expect(told('.a { color: red')).toEqual(['bracket: {'])
  expect(told('.a')).toEqual(['bracket: .a'])
})
