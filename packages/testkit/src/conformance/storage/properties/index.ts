import assert from 'node:assert/strict'
import { isChangeKind } from '@matchyard/core/ports'
import fc from 'fast-check'
import type { StorageHarness, StorageUnderTest } from '../harness'
import { QUEUE_KEY } from '../samples'
import { type Played, play } from './play'
import { history, KINDS, type Step } from './steps'

export interface PropertyOptions {
  /** Number of random histories (sequences of commits) to run. */
  readonly runs: number
  /**
   * Whether the adapter applies commits that arrive together in the order in which they were sent, as a single writer
   * does. Without this order nobody can predict the results, so each commit waits for the commit before it.
   */
  readonly inOrder: boolean
}

/**
 * Asserts for random histories of commits that an adapter returns and stores exactly the data that a simple model
 * predicts. A failure prints its seed and the shortest failing history.
 */
export async function storageFollowsModel(harness: StorageHarness, { runs, inOrder }: PropertyOptions): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await withStore(harness, async (subject) => {
        const played = await play(subject, inOrder ? steps : oneByOne(steps), (model, adapter) =>
          assert.deepEqual(adapter, model),
        )
        await assertStored(subject, played)
      })
    }),
    { numRuns: runs },
  )
}

/** Asserts that two adapters give the same observable results for random histories of commits. */
export async function storagesAgree(
  one: StorageHarness,
  other: StorageHarness,
  { runs, inOrder }: PropertyOptions,
): Promise<void> {
  const transcriptOf = async (harness: StorageHarness, steps: readonly Step[]) =>
    withStore(harness, async (subject) => (await play(subject, steps)).transcript)
  await fc.assert(
    fc.asyncProperty(history, async (generated) => {
      const steps = inOrder ? generated : oneByOne(generated)
      assert.deepEqual(await transcriptOf(other, steps), await transcriptOf(one, steps))
    }),
    { numRuns: runs },
  )
}

async function withStore<T>(harness: StorageHarness, body: (subject: StorageUnderTest) => Promise<T>): Promise<T> {
  const subject = await harness.open()
  try {
    return await body(subject)
  } finally {
    await subject.dispose()
  }
}

const oneByOne = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step): Step[] =>
    step.do === 'commit' ? step.commits.map((commit) => ({ do: 'commit', commits: [commit] })) : [step],
  )

/** Asserts that the stored data, which are read without the adapter, equal the data of the model. */
async function assertStored(
  { backDoor }: StorageUnderTest,
  { model, followed, known, figures }: Played,
): Promise<void> {
  assert.deepEqual(figures.kept, figures.recounted)
  const byText = (a: string, b: string) => (a < b ? -1 : 1)
  for (const kind of KINDS) {
    const expected = [...model.entities.values()].filter((entity) => entity.kind === kind).map(({ value }) => value)
    const stored = await backDoor.entities(kind)
    assert.deepEqual(
      stored.map(({ value }) => JSON.stringify(value)).sort(byText),
      expected.map((value) => JSON.stringify(value)).sort(byText),
    )
    for (const { id, version, value } of stored) assert.deepEqual([value.id, value.version], [id, version])
  }
  for (const { id, value } of await backDoor.counters()) assert.equal(value, model.counters.get(id) ?? 0, id)
  const waiting = [...model.entities.values()].flatMap(({ kind, value }) =>
    kind === 'ticket' && value.queueKey === QUEUE_KEY ? [value.id] : [],
  )
  assert.deepEqual([...followed].sort(byText), waiting.sort(byText))
  const changed = [...model.entities.values()].flatMap(({ kind, value }) =>
    isChangeKind(kind) ? [`${kind} ${value.id} ${value.version}`] : [],
  )
  assert.deepEqual([...known].map(([name, version]) => `${name} ${version}`).sort(byText), changed.sort(byText))
}
