import { readdirSync, readFileSync } from 'node:fs'
import type { Storage } from '@matchyard/core/ports'
import { type StorageHarness, storageConformance } from '@matchyard/testkit/storage'
import { expect, test } from 'vitest'
import { journalStorage } from '../src/journal-storage'
import { journalHarness } from './harness'

const guide = readFileSync(new URL('../../../docs/writing-a-storage-adapter.md', import.meta.url), 'utf8')

test('every block of the guide is a part of this example, to the letter', () => {
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const sources = ['../src/', '../test/'].flatMap((folder) => {
    const url = new URL(folder, import.meta.url)
    return readdirSync(url).map((file) => readFileSync(new URL(file, url), 'utf8'))
  })
  expect(blocks.length).toBeGreaterThan(10)
  expect(blocks.filter((code) => !sources.some((source) => source.includes(code)))).toEqual([])
})

test('the files that the guide links to are there', () => {
  for (const [, link = ''] of guide.matchAll(/\]\(([^)#]+)\)/g)) {
    expect(() => readFileSync(new URL(`../../../docs/${link}`, import.meta.url)), link).not.toThrow(/ENOENT/)
  }
})

/** Steps of the guide: the parts that each step writes, and the areas whose cases then pass. */
const steps = [...guide.matchAll(/^Writes (.*)\.\n`npx vitest run -t '\^\((.*)\):'`$/gm)].map(
  ([, members = '', areas = '']) => ({ members: members.replaceAll('`', '').split(', '), areas: areas.split('|') }),
)
const casesOf = (areas: readonly string[]) => storageConformance().filter(({ area }) => areas.includes(area))

/** Returns the adapter with the parts that are written so far; all others throw. */
function half(written: readonly string[]): StorageHarness {
  const cut = (storage: Storage) =>
    new Proxy(storage, {
      get(target, member) {
        // A promise looks for `then` on each value that it is resolved with.
        if (member === 'then') return undefined
        if (written.includes(String(member))) return Reflect.get(target, member)
        throw new Error(`${String(member)} is not written yet`)
      },
    })
  return {
    async open() {
      const subject = await journalHarness.open()
      return {
        ...subject,
        storage: cut(subject.storage),
        another: async () => cut(await subject.another()),
        reopen: async () => cut(await subject.reopen()),
      }
    },
  }
}

const BEFORE = ['name', 'migrate', 'close']

test('before the first step every case is red', async () => {
  // One case subscribes before it commits; a refusal there would be a rejection that no caller awaits.
  const nothing = half([...BEFORE, 'subscribe'])
  for (const item of storageConformance()) await expect(item.run(nothing), item.name).rejects.toThrow('not written')
})

test('the steps write the whole port and name every area', () => {
  const members = [...BEFORE, ...steps.flatMap((step) => step.members)]
  expect(members.sort()).toEqual(Object.keys(journalStorage({ path: 'not opened' })).sort())
  const areas = new Set(storageConformance().map(({ area }) => area))
  expect(steps.flatMap((step) => step.areas).sort()).toEqual([...areas].sort())
})

// The last step completes the adapter, and the whole suite runs in another file.
test.each(steps.slice(0, -1).map(({ areas }, index) => [index + 3, areas] as const))(
  'after step %i its cases are green: %j',
  async (number, areas) => {
    const written = steps.slice(0, number - 2).flatMap(({ members }) => members)
    for (const item of casesOf(areas)) await item.run(half([...BEFORE, ...written]))
  },
)
