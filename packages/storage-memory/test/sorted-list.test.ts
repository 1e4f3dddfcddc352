import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksAfter, noteMark } from '../src/marks'
import { merged, SortedList } from '../src/sorted-list'

const upwards = (a: number, b: number) => a - b
const values = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 1_500, size: 'max' })

test('a sorted list holds what came and did not go, and is walked from any place in both directions', () => {
  fc.assert(
    fc.property(values, values, fc.integer({ min: 0, max: 2_000 }), (come, go, from) => {
      const list = new SortedList<number>(upwards)
      const plain = new Set(come)
      for (const value of plain) list.add(value)
      for (const value of go) {
        list.delete(value)
        plain.delete(value)
      }
      const sorted = [...plain].sort(upwards)
      expect([...list.values()]).toEqual(sorted)
      expect(list.size).toBe(sorted.length)
      expect([...list.values((value) => value > from)]).toEqual(sorted.filter((value) => value > from))
      const before = sorted.filter((value) => value < from).reverse()
      expect([...list.backwards((value) => value < from)]).toEqual(before)
    }),
    { numRuns: 50 },
  )
})

test('lists that are each in order are one in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer()), { maxLength: 6 }), (lists) => {
      const ordered = lists.map((list) => list.sort(upwards).values())
      expect([...merged(ordered, upwards)]).toEqual(lists.flat().sort(upwards))
    }),
  )
})

test('marks are read from a number on, however often they change and whatever is forgotten', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), forget: fc.boolean(), read: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), fc.integer({ min: 0, max: 400 }), (steps, after) => {
      const marks = new Map<string, { sequence: number }>()
      let sequence = 0
      for (const { key, forget, read } of steps) {
        marks.delete(key)
        if (!forget) {
          const mark = { sequence: ++sequence }
          marks.set(key, mark)
          noteMark(marks, key, mark)
        }
        if (!read) continue
        expect([...marksAfter(marks, after)]).toEqual([...marks].filter((entry) => entry[1].sequence > after))
      }
    }),
  )
})
