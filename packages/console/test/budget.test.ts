import { expect, it } from 'vitest'
import { barOf, dollarsOf, toneOf } from '../src/page/rooms/usage/budget'

it('the bar of a budget is as long as its longest amount', () => {
  expect(barOf({ budget: 100, spent: 50, forecast: 80 })).toEqual({ spent: 0.5, forecast: 0.8, budget: 1 })
  expect(barOf({ budget: 100, spent: 50, forecast: 200 })).toEqual({ spent: 0.25, forecast: 1, budget: 0.5 })
  expect(barOf({ budget: 100, spent: 400, forecast: undefined })).toEqual({ spent: 1, forecast: 1, budget: 0.25 })
})

it('the bar warns as the service does', () => {
  const tone = (spent: number, forecast?: number) => toneOf({ budget: 100, spent, forecast })
  expect([tone(79, 99), tone(80), tone(0, 100), tone(100)]).toEqual([undefined, 'wait', 'wait', 'bad'])
})

it('an amount may be written with a dollar sign and commas', () => {
  expect(['100', ' $1,250.50 ', '0.01'].map(dollarsOf)).toEqual([100, 1_250.5, 0.01])
  expect(['', 'ten', '-1', '1e9', '1.2.3'].map(dollarsOf)).toEqual(Array(5).fill(undefined))
})
