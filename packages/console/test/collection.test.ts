import { afterEach, beforeEach, expect, it, vi } from 'vitest'

interface Thing {
  readonly id: string
  readonly at: number
  readonly version: number
}

interface Things {
  readonly rows: { readonly value: readonly unknown[] }
  readonly revision: { readonly value: number }
  get(id: string): Thing | undefined
  all(): Thing[]
  put(thing: Thing): void
  remove(id: string): void
  startReading(): void
  putRead(thing: Thing): void
  endReading(): void
}

interface Options {
  readonly idOf: (thing: Thing) => string
  readonly order: (a: Thing, b: Thing) => number
  readonly atMost: number
  readonly versionOf: (thing: Thing) => number
}

// Imported at run time, without its types: they need the types of a browser, which tests do not have.
const { Collection } = await vi.importActual<{ readonly Collection: new (options: Options) => Things }>(
  '../src/page/data/collection',
)

let frames: (() => void)[] = []
const frame = () => {
  for (const run of frames.splice(0)) run()
}
beforeEach(() => {
  frames = []
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
})
afterEach(() => vi.unstubAllGlobals())

const newestFirst = (atMost = 100) =>
  new Collection({
    idOf: ({ id }) => id,
    order: (a, b) => b.at - a.at,
    atMost,
    versionOf: ({ version }) => version,
  })
const thing = (at: number, version = 1): Thing => ({ id: `t${at}`, at, version })
const instants = (things: Things) => things.all().map(({ at }) => at)

it('lists what comes in its order among those that are there, once a frame', () => {
  const things = newestFirst()
  for (const at of [2, 6, 4]) things.put(thing(at))
  expect([frames.length, instants(things)]).toEqual([1, []])
  frame()
  expect(instants(things)).toEqual([6, 4, 2])
  for (const at of [1, 3, 7, 5]) things.put(thing(at))
  things.remove('t4')
  frame()
  expect(instants(things)).toEqual([7, 6, 5, 3, 2, 1])
})

it('keeps the first ones where there are more than it may hold', () => {
  const things = newestFirst(3)
  for (const at of [1, 2, 3, 4]) things.put(thing(at))
  frame()
  expect(instants(things)).toEqual([4, 3, 2])
  things.put(thing(5))
  frame()
  expect([instants(things), things.get('t2')]).toEqual([[5, 4, 3], undefined])
})

it('draws the row alone where a thing changes, and passes over what is older than what it knows', () => {
  const things = newestFirst()
  things.put(thing(1, 2))
  frame()
  const [rows, revision] = [things.rows.value, things.revision.value]
  things.put(thing(1, 3))
  things.put(thing(1, 1))
  frame()
  expect([things.rows.value === rows, things.revision.value, things.get('t1')?.version]).toEqual([
    true,
    revision + 1,
    3,
  ])
})

it('takes what lists say but for what was told meanwhile, and lets go of what they do not hold', () => {
  const things = newestFirst()
  for (const at of [1, 2, 3]) things.put(thing(at))
  frame()
  things.startReading()
  things.remove('t2')
  things.put(thing(4))
  frame()
  for (const at of [1, 2, 5]) things.putRead(thing(at))
  things.endReading()
  frame()
  expect(instants(things)).toEqual([5, 4, 1])
})
